import type { Executor } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import {
  type BlockRef,
  type BlockSpends,
  noSpends,
  type Senders,
  type TransactionReceipt,
  type TransactionStatus,
  type Transfer,
} from "./port.ts";

/** A transfer to a deposit's address, with whose address it is. */
export type WatchedTransfer = {
  readonly transfer: Transfer;
  readonly senders: Senders;
  readonly accountId: string;
  readonly walletId: string;
  readonly depositId: string;
  /** Which key the address belongs to; the type is empty on chains with one form of address. */
  readonly addressType: string;
  readonly keyIndex: number;
};

/** A transfer to an address of the deployment's own: what pays (`hot`), what pays fees (`gas`), change. */
export type OwnArrival = {
  readonly transfer: Transfer;
  readonly purpose: "hot" | "gas" | "change";
  readonly addressType: string;
  readonly keyIndex: number;
};

/** What a block says about our own money. */
export type OwnActivity = {
  readonly arrivals: readonly OwnArrival[];
  /** Transactions of our own that it holds. */
  readonly receipts: readonly TransactionReceipt[];
  /** What its transactions use up, ours and everybody's. */
  readonly spends: BlockSpends;
};

export const noOwnActivity: OwnActivity = { arrivals: [], receipts: [], spends: noSpends };

/** A transfer that we hold as unconfirmed and that is in no block. */
export type PendingTransfer = {
  readonly accountId: string;
  readonly transferId: string;
  readonly txid: string;
  readonly claims: readonly string[];
  readonly firstSeenAt: Instant;
};

/** What became of a transfer that waited for a block. */
export type DroppedTransfer = {
  readonly transfer: PendingTransfer;
  readonly status: TransactionStatus;
};

/**
 * What the follower tells the features. Each method runs inside the transaction that also moves the follower's cursor,
 * so all of a block happens or none of it. Everything may be told twice (a replay); the second time changes nothing.
 */
export type BlockSink = {
  /** A block was appended to the best chain. Called for every block, also without hits: confirmations grow. */
  readonly appended: (
    tx: Executor,
    chain: string,
    block: BlockRef,
    hits: readonly WatchedTransfer[],
    now: Instant,
    own: OwnActivity,
  ) => Promise<void>;
  /** The newest block that we hold left the best chain. Blocks are orphaned from the top down. */
  readonly orphaned: (tx: Executor, chain: string, block: BlockRef, now: Instant) => Promise<void>;
  /** Transfers to deposits seen outside any block. */
  readonly pendingSeen: (
    tx: Executor,
    chain: string,
    hits: readonly WatchedTransfer[],
    now: Instant,
  ) => Promise<void>;
  /** Unconfirmed transfers in no block, for which the follower asks the node what became of them. */
  readonly pendingTransfers: (tx: Executor, chain: string) => Promise<readonly PendingTransfer[]>;
  /**
   * These are given up: conflicted, included in a block that was read and delivered nothing there, or unknown to the node for so
   * long that no mempool holds them any more. They are cancelled; should one come after all, it counts again.
   */
  readonly transfersDropped: (
    tx: Executor,
    chain: string,
    fates: readonly DroppedTransfer[],
    now: Instant,
  ) => Promise<void>;
};
