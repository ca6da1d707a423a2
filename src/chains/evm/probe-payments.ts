import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { EvmChain } from "./evm-chain.ts";
import type { EvmNode, Outcome } from "./evm-node.ts";
import { codeAt, type FeeHeader, gasFor, latestFeeHeader, resultOf } from "./fee-questions.ts";
import type { PaymentCall } from "./payment-call.ts";
import { gasLimit, isPlain } from "./payment-gas.ts";
import {
  answered,
  coinHeld,
  estimated,
  otherCall,
  type Probe,
  tokenHeld,
} from "./probe-payment.ts";

/** What the newest state says about several payments of one account: for each, what `probePayment` would find. */
export type Probes = {
  readonly header: FeeHeader;
  readonly each: readonly (Omit<Probe, "header"> | Unavailable)[];
};

/**
 * Takes two round trips for all payments. Throws `Unavailable` if the node does not answer, or refuses what concerns them all;
 * a payment that it cannot answer has its own error in the result.
 */
export async function probePayments(
  node: EvmNode,
  record: EvmChain,
  from: string,
  calls: readonly PaymentCall[],
  signal: AbortSignal,
): Promise<Probes> {
  const [first] = calls;
  if (first === undefined) throw new RangeError("no payment to look at");
  const contracts = distinct(calls.flatMap(({ contract }) => contract ?? []));
  const receivers = distinct(calls.map(({ to }) => to));
  const [[header], held, codes] = await Promise.all([
    node.askEach([latestFeeHeader], signal),
    node.askEach(
      [coinHeld(from), ...contracts.map((contract) => tokenHeld(contract, from))],
      signal,
    ),
    node.askEach(receivers.map(codeAt), signal),
  ]);
  const codeOf = byName(receivers, codes);
  const [coin, ...tokens] = held;
  const coinUnits = answered(node, "eth_getBalance", present(coin, "what the account holds"));
  const tokenUnits = byName(contracts, tokens);
  const runs = await runAll(node, record, { from, calls, codeOf }, signal);
  const newest = answered(node, "eth_getBlockByNumber", header);
  const probeOf = (call: PaymentCall, position: number): Omit<Probe, "header"> => {
    const run = present(runs[position], "what a payment would do");
    const code = answered(node, "eth_getCode", present(codeOf.get(call.to), "a code"));
    const assetUnits =
      call.contract === null
        ? coinUnits
        : answered(node, "balanceOf", present(tokenUnits.get(call.contract), "a token's balance"));
    const estimates = {
      direct: run.direct === null ? null : estimated(node, run.direct),
      other: run.other === null ? null : estimated(node, run.other),
    };
    const limit = gasLimit(call, record, { code, blockGas: newest.gasLimit, ...estimates });
    return { code, limit, result: run.result, coinUnits, assetUnits };
  };
  return {
    header: newest,
    each: calls.map((call, position) => catchUnavailable(() => probeOf(call, position))),
  };
}

/** The outcome of simulating a payment; the estimates are null if it needs none. */
type Run = {
  readonly result: Outcome<string>;
  readonly direct: Outcome<number> | null;
  readonly other: Outcome<number> | null;
};

async function runAll(
  node: EvmNode,
  record: EvmChain,
  {
    from,
    calls,
    codeOf,
  }: {
    readonly from: string;
    readonly calls: readonly PaymentCall[];
    readonly codeOf: ReadonlyMap<string, Outcome<string>>;
  },
  signal: AbortSignal,
): Promise<readonly Run[]> {
  const places = new Map<PaymentCall, number>();
  for (const call of calls) {
    const code = codeOf.get(call.to);
    const isUnneeded =
      code !== undefined && "answer" in code && isPlain({ ...call, ...record, code: code.answer });
    if (!isUnneeded && !places.has(call)) places.set(call, places.size);
  }
  const estimatedCalls = [...places.keys()];
  const [results, gases] = await Promise.all([
    node.askEach(
      calls.map((call) => resultOf(from, call)),
      signal,
    ),
    estimatedCalls.length === 0
      ? []
      : node.askEach(
          estimatedCalls.flatMap((call) => [gasFor(from, call), gasFor(from, otherCall(call))]),
          signal,
        ),
  ]);
  return calls.map((call, position) => {
    const place = places.get(call);
    const result = present(results[position], "the result of a payment");
    if (place === undefined) return { result, direct: null, other: null };
    const direct = present(gases[2 * place], "the gas of a payment");
    const other = present(gases[2 * place + 1], "the gas of another one");
    return { result, direct, other };
  });
}

/** Parses the answers about one payment; a missing answer affects only that payment. */
export function catchUnavailable<Result>(read: () => Result): Result | Unavailable {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unavailable) return error;
    throw error;
  }
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function byName<Answer>(
  names: readonly string[],
  outcomes: readonly Outcome<Answer>[],
): ReadonlyMap<string, Outcome<Answer>> {
  return new Map(
    names.map((name, position) => [name, present(outcomes[position], `an answer about ${name}`)]),
  );
}
