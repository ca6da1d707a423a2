import type { BlockRef, ChainReader } from "../port.ts";

/** A transaction's transparent part, whichever way it was read. */
export type ChainTransaction = {
  readonly txid: string;
  /** The outputs that it spends, `txid:vout`; none for a coinbase. */
  readonly claims: readonly string[];
  /** Scripts in hex; with the category of the tokens that the output holds, if it holds any. */
  readonly outputs: readonly {
    readonly units: bigint;
    readonly script: string;
    readonly token?: string;
  }[];
};

/** How a chain's blocks and transactions are read from its node. */
export type BlockSource = Pick<ChainReader, "readBlock" | "senders"> & {
  /** Ids of the block's transactions, proven by its header; null when the block is unknown or not on the best chain. */
  readonly txidsIn: (block: BlockRef, signal: AbortSignal) => Promise<readonly string[] | null>;
  /**
   * The transaction of the block of that hash that spends one of these outputs, or null in its place. Null when the node does
   * not have the block.
   */
  readonly findSpender: (
    hash: string,
    claims: ReadonlySet<string>,
    signal: AbortSignal,
  ) => Promise<{
    readonly parentHash: string;
    readonly spender: ChainTransaction | null;
  } | null>;
  /** Those of the transactions that the node finds by their ids alone: the pending ones, and all with an index. */
  readonly transactions: (
    txids: readonly string[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, ChainTransaction>>;
  /** Ids of all pending transactions, and a text that changes with them. */
  readonly mempool: (
    signal: AbortSignal,
  ) => Promise<{ readonly txids: readonly string[]; readonly version: string }>;
  readonly isPending: (txid: string, signal: AbortSignal) => Promise<boolean>;
  /** The height up to which the node finds any transaction by its id; null if it cannot. */
  readonly indexedHeight: (signal: AbortSignal) => Promise<number | null>;
};
