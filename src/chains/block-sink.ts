import type { Executor } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import {
  type AccountCharge,
  type BlockRef,
  type BlockSpends,
  noSpends,
  type Senders,
  type TransactionReceipt,
  type TransactionStatus,
  type Transfer,
} from "./port.ts";

/** A transfer to a deposit's address, with its owner. */
export type WatchedTransfer = {
  readonly transfer: Transfer;
  readonly senders: Senders;
  readonly accountId: string;
  readonly walletId: string;
  readonly depositId: string;
  /** The address's key; the type is empty on chains with one form of address. */
  readonly addressType: string;
  readonly keyIndex: number;
};

/** A transfer to one of the deployment's own addresses: the hot account, the gas account, or change. */
export type OwnArrival = {
  readonly transfer: Transfer;
  readonly purpose: "hot" | "gas" | "change";
  readonly addressType: string;
  readonly keyIndex: number;
};

/** A transfer to the account that deposits share, under no deposit's tag and not under the operator's. */
export type StrayTransfer = {
  readonly transfer: Transfer;
  readonly senders: Senders;
  /** As the chain shows it; null without one. */
  readonly tag: string | null;
};

/** A block's transactions that concern the deployment's own money. */
export type OwnActivity = {
  readonly arrivals: readonly OwnArrival[];
  readonly strays: readonly StrayTransfer[];
  /** Receipts of our own transactions in the block. */
  readonly receipts: readonly TransactionReceipt[];
  /** What all of its transactions spend. */
  readonly spends: BlockSpends;
  /** What it took from our own accounts besides. */
  readonly charges: readonly AccountCharge[];
};

export const noOwnActivity: OwnActivity = {
  arrivals: [],
  strays: [],
  receipts: [],
  spends: noSpends,
  charges: [],
};

/** An unconfirmed transfer that is in no block. */
export type PendingTransfer = {
  readonly accountId: string;
  readonly transferId: string;
  readonly txid: string;
  readonly claims: readonly string[];
  readonly firstSeenAt: Instant;
};

/** The pending transfers that are decided. */
export type PendingTransfers = {
  readonly transfers: readonly PendingTransfer[];
  /** False while reports wait for a decision, which may make more transfers pending. */
  readonly isComplete: boolean;
};

/** A pending transfer that will not confirm, and why. */
export type DroppedTransfer = {
  readonly transfer: PendingTransfer;
  readonly status: TransactionStatus;
};

/**
 * Receives what the follower reads. Each method runs inside the transaction that also moves the follower's cursor, so a block
 * is applied completely or not at all. Repeating a call (a replay) changes nothing.
 */
export type BlockSink = {
  /** A block was appended to the best chain. Called for every block, also without transfers of ours, because confirmations grow. */
  readonly appended: (
    tx: Executor,
    chain: string,
    block: BlockRef,
    hits: readonly WatchedTransfer[],
    now: Instant,
    own: OwnActivity,
  ) => Promise<void>;
  /** Our newest block left the best chain. Blocks are orphaned from the top down. */
  readonly orphaned: (tx: Executor, chain: string, block: BlockRef, now: Instant) => Promise<void>;
  /** Transfers to deposits seen outside any block. */
  readonly pendingSeen: (
    tx: Executor,
    chain: string,
    hits: readonly WatchedTransfer[],
    now: Instant,
  ) => Promise<void>;
  /** Unconfirmed transfers in no block, whose status the follower asks the node for. */
  readonly pendingTransfers: (tx: Executor, chain: string) => Promise<PendingTransfers>;
  /**
   * These are canceled: conflicted, included in a scanned block without delivering anything, or unknown for longer than any
   * mempool keeps them. A canceled transfer that confirms after all counts again.
   */
  readonly transfersDropped: (
    tx: Executor,
    chain: string,
    fates: readonly DroppedTransfer[],
    now: Instant,
  ) => Promise<void>;
};
