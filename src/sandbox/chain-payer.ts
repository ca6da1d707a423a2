import { findChain } from "../currencies/chains.ts";
import type { ChainId, Currency } from "../currencies/currency.ts";
import { present } from "../platform/kernel/assert.ts";

export type Tip = { readonly height: number; readonly hash: string };

/** Whether the transactions of replaced blocks become pending again or are mined in the new blocks. */
export type ReorgTransactions = "wait" | "include";

/** What a faucet needs from a chain family. */
export type ChainPayer = {
  /** `tag` where many receivers share the address, and it does not contain the tag. */
  readonly pay: (
    currency: Currency,
    address: string,
    units: bigint,
    tag: string | null,
  ) => Promise<string>;
  /** Pays an address the same amount so many times at once. Absent: with one transaction each. */
  readonly payPieces?: (address: string, units: bigint, pieces: number) => Promise<unknown>;
  readonly mine: (count: number) => Promise<void>;
  readonly reorg: (depth: number, transactions: ReorgTransactions) => Promise<void>;
  readonly tip: () => Promise<Tip>;
  /** The deepest reorg that the node can make and the service undoes by itself. */
  readonly reorgDepthMax: number;
  readonly close: () => Promise<void>;
};

/** The deepest reorg that the service follows on this chain, in blocks. */
export function followedDepth(chainId: ChainId): number {
  return present(findChain(chainId)?.reorgLimit, `reorg limit of ${chainId}`);
}
