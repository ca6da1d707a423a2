import { findChain } from "../currencies/chains.ts";
import type { ChainId, Currency } from "../currencies/currency.ts";
import { present } from "../platform/kernel/assert.ts";

export type Tip = { readonly height: number; readonly hash: string };

/** What happens to the transactions of the blocks that go: they wait for a block again, or stand in the new blocks. */
export type ReorgTransactions = "wait" | "include";

/** What each family of chains does in its own way. */
export type ChainPayer = {
  readonly pay: (currency: Currency, address: string, units: bigint) => Promise<string>;
  readonly mine: (count: number) => Promise<void>;
  readonly reorg: (depth: number, transactions: ReorgTransactions) => Promise<void>;
  readonly tip: () => Promise<Tip>;
  /** Deepest re-org that both the node can make and the service undoes by itself. */
  readonly reorgDepthMax: number;
  readonly close: () => Promise<void>;
};

/** How deep a re-org the service follows by itself on this chain, in blocks. */
export function followedDepth(chainId: ChainId): number {
  return present(findChain(chainId)?.reorgLimit, `re-org limit of ${chainId}`);
}
