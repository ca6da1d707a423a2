import { type Currency, contractAmong } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { EvmNode } from "./evm-node.ts";
import { codeAt } from "./fee-questions.ts";
import { balancesCall, balancesIn, multicall } from "./multicall.ts";
import { balanceAt, callAt, headerByHash, tokenBalanceAt } from "./questions.ts";

/**
 * A balance costs a token's contract some 3,000 to 30,000 gas; nodes allow a call 10 million (Erigon, hosted nodes) to 50 million
 * gas (Geth).
 */
const balancesPerCall = 300;
/** Calls per request. */
const callsPerRequest = 20;
/** Balances per request without the contract. */
const balancesPerRequest = 100;

/**
 * Each address's balance of the currency (one of `currencies`) right after the block, by EIP-1898: through Multicall3 where the
 * chain had it at that block, else with one call per address. Null when the node does not have the block.
 */
export async function readBalancesAt(
  node: EvmNode,
  currencies: readonly Currency[],
  { addresses, currency, hash }: BalanceQuery,
  signal: AbortSignal,
): Promise<readonly bigint[] | null> {
  const contract = contractAmong(currencies, currency);
  if (addresses.length === 0) return [];
  const [header, code] = await node.askEach([headerByHash(hash), codeAt(multicall)], signal);
  if (!("answer" in header) || header.answer === null) return null;
  const hasMulticall = "answer" in code && code.answer.length > 2;
  const together = hasMulticall
    ? await askTogether(node, contract, { addresses, hash }, signal)
    : null;
  return together ?? (await askEach(node, contract, { addresses, hash }, signal));
}

type BalanceQuery = {
  readonly addresses: readonly string[];
  readonly currency: CurrencyId;
  readonly hash: string;
};

/** Null if the node or the contract refuses the combined call; single calls may still succeed. */
async function askTogether(
  node: EvmNode,
  contract: string | null,
  { addresses, hash }: Omit<BalanceQuery, "currency">,
  signal: AbortSignal,
): Promise<readonly bigint[] | null> {
  const calls = chunks(addresses, balancesPerCall).map((part) =>
    callAt(multicall, balancesCall(contract, part), hash),
  );
  const balances: bigint[] = [];
  for (const part of chunks(calls, callsPerRequest)) {
    for (const outcome of await node.askEach(part, signal)) {
      const units = "answer" in outcome ? balancesIn(outcome.answer) : null;
      if (units === null) return null;
      balances.push(...units);
    }
  }
  if (balances.length !== addresses.length)
    throw new Unavailable(node.chain, "Multicall3 answered for another number of addresses");
  return balances;
}

async function askEach(
  node: EvmNode,
  contract: string | null,
  { addresses, hash }: Omit<BalanceQuery, "currency">,
  signal: AbortSignal,
): Promise<readonly bigint[]> {
  const balances: bigint[] = [];
  for (const part of chunks(addresses, balancesPerRequest)) {
    const queries = part.map((address) =>
      contract === null ? balanceAt(address, hash) : tokenBalanceAt(contract, address, hash),
    );
    for (const units of await node.askAll<readonly (bigint | null)[]>(queries, signal)) {
      if (units === null) throw new Unavailable(node.chain, `${contract} returns no balance`);
      balances.push(units);
    }
  }
  return balances;
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, place) =>
    items.slice(place * size, (place + 1) * size),
  );
}
