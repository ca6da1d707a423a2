import { assert, present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type {
  DraftOutcome,
  SweepDraftRequest,
  SweepSourceState,
  SweepState,
} from "../paying-port.ts";
import { type EvmNode, refused } from "./evm-node.ts";
import { type Call, codeAt, gasFor } from "./fee-questions.ts";
import { transferCall } from "./payment-call.ts";
import { payoutDesignator } from "./payout-delegate.ts";
import { type Authorization, priceSweep, type SweepTransaction } from "./price-sweep.ts";
import { allowanceOf, isRevert } from "./revert.ts";
import { coinAsset, deployCall, type SweepGroup, sweepManyCall } from "./sweep-delegate.ts";
import {
  batchGasLimit,
  gasForEach,
  transactionGas,
  transactionGasMost,
  undelegateGasLimit,
} from "./sweep-gas.ts";
import type { EvmSweeping } from "./sweeping.ts";

/** A transaction for the plan, at current fees. */
export async function draftSweep(
  sweeping: EvmSweeping,
  { plan, sequence, feeCeiling }: SweepDraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { gasAccount, hot, delegate } = sweeping;
  const nonce = nonceOf(sequence);
  const byGasAccount = { from: gasAccount, nonce, keyIndex: null };
  switch (plan.kind) {
    case "setUp": {
      const call = deployCall(hot, gasAccount);
      const gas = await estimate(sweeping.node, gasAccount, call, signal);
      if (typeof gas === "string") return { kind: "impossible", reason: gas };
      const deployment = { ...byGasAccount, call, gas, authorizations: [] };
      return await priceSweep(sweeping, deployment, feeCeiling, signal);
    }
    case "batch": {
      const batch = { ...byGasAccount, ...batchOf(sweeping, plan.sources) };
      if (batch.gas > transactionGasMost)
        return { kind: "impossible", reason: `a batch that may use ${batch.gas} gas` };
      return await priceSweep(sweeping, batch, feeCeiling, signal);
    }
    case "prepare": {
      const { state, preparation } = plan;
      assert(preparation.kind === "topUp", "an address of this chain is prepared with coin");
      const { units } = preparation;
      const call = { to: state.address, value: units, data: "0x" };
      const gas = await gasForCoin(sweeping, gasAccount, state.address, signal);
      const topUp = { ...byGasAccount, call, gas, authorizations: [] };
      return await priceSweep(sweeping, topUp, feeCeiling, signal);
    }
    case "release": {
      const { states } = plan;
      assert(states.length > 0, "an end of no delegation");
      const ending = {
        ...byGasAccount,
        call: { to: gasAccount, value: 0n, data: "0x" },
        gas: undelegateGasLimit(states.length),
        authorizations: states.map((state) => authorize(state, coinAsset)),
      };
      return await priceSweep(sweeping, ending, feeCeiling, signal);
    }
    case "single": {
      assert(plan.state.sequence === sequence, "an address sends with its own next nonce");
      const single = await singleOf({ ...sweeping, delegate }, plan.state, plan.currency, signal);
      return await priceSweep(sweeping, single, feeCeiling, signal);
    }
  }
}

/**
 * One call that sweeps all addresses, with an authorization for each address that does not delegate yet. It may exceed a block's
 * gas limit.
 */
export function batchOf(
  { hot, delegate, contractOf }: EvmSweeping,
  sources: readonly SweepSourceState[],
): Pick<SweepTransaction, "call" | "gas" | "authorizations"> {
  assert(sources.length > 0, "a sweep of no address");
  assert(!sources.some(({ state }) => state.address === hot), "the hot account is never swept");
  const swept = sources.flatMap(({ state, currencies }) =>
    state.assets.filter(({ currency }) => currencies.includes(currency)),
  );
  const gasEach = gasForEach(swept);
  const call = sweepManyCall(delegate, groupsOf(sources, contractOf), gasEach);
  return {
    call,
    gas: batchGasLimit(call, sources, gasEach),
    authorizations: sources
      .filter(({ state }) => !state.isPrepared)
      .map(({ state }) => authorize(state, delegate)),
  };
}

/** Addresses with the same assets share one list of them. */
function groupsOf(
  sources: readonly SweepSourceState[],
  contractOf: EvmSweeping["contractOf"],
): readonly SweepGroup[] {
  const groups = new Map<string, { assets: readonly string[]; deposits: string[] }>();
  for (const { state, currencies } of sources) {
    const assets = currencies.map((currency) => contractOf(currency) ?? coinAsset).toSorted();
    const key = assets.join();
    const group = groups.get(key) ?? { assets, deposits: [] };
    group.deposits.push(state.address);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function authorize({ keyIndex, address, sequence }: SweepState, delegate: string): Authorization {
  return { keyIndex, address, delegate, nonce: nonceOf(sequence) };
}

function nonceOf(sequence: bigint | null): number {
  return Number(present(sequence, "a nonce"));
}

/** The coin moves less the fee, which `priceSweep` subtracts; of a token, the whole final balance moves. */
async function singleOf(
  sweeping: EvmSweeping,
  state: SweepState,
  currency: CurrencyId,
  signal: AbortSignal,
): Promise<SweepTransaction> {
  const { hot, contractOf } = sweeping;
  const { address, sequence, keyIndex } = state;
  const asset = present(
    state.assets.find((held) => held.currency === currency),
    `${currency} at ${address}`,
  );
  assert(asset.final > 0n, `nothing of ${currency} at ${address}`);
  const contract = contractOf(currency);
  const by = { from: address, nonce: nonceOf(sequence), keyIndex, authorizations: [] };
  if (contract === null) {
    const gas = await gasForCoin(sweeping, address, hot, signal);
    return { ...by, gas, call: { to: hot, value: asset.final, data: "0x" } };
  }
  const call = transferCall(contract, hot, asset.final);
  const gas = await estimate(sweeping.node, address, call, signal);
  const { to, value, data } = call;
  // A transfer that fails now may succeed by the time it is mined; `survey` leaves out those that always fail.
  return { ...by, gas: typeof gas === "string" ? 100_000n : gas, call: { to, value, data } };
}

/**
 * 21,000 where the receiver runs no code and the chain counts nothing else as gas. A hot account that delegates to our contract takes
 * coin for a constant amount, so that the estimate needs no margin, and nothing of the fee is left behind.
 */
async function gasForCoin(
  { node, record }: EvmSweeping,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<bigint> {
  const code = await node.ask(codeAt(to), signal);
  const gas = await estimate(node, from, { to, value: 0n, data: "0x" }, signal);
  if (typeof gas === "string") return 2n * transactionGas;
  if (record.dataFee !== "inGas" && code === payoutDesignator) return (gas * 5n + 5n) / 6n;
  return record.dataFee !== "inGas" && code === "0x" ? transactionGas : gas;
}

/** The estimate plus a fifth, or the reason why the chain would reject the call. */
async function estimate(
  node: EvmNode,
  from: string,
  call: Call,
  signal: AbortSignal,
): Promise<bigint | string> {
  const [gas] = await node.askEach([gasFor(from, call)], signal);
  if ("answer" in gas) return (BigInt(gas.answer) * 6n) / 5n;
  if (isRevert(gas.refusal) || allowanceOf(gas.refusal) !== null) return gas.refusal.message;
  throw refused(node.chain, "eth_estimateGas", gas.refusal);
}
