import type { Executor } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import {
  type BlockRef,
  type Fate,
  type MinedSpend,
  noUsage,
  type Origin,
  type Transfer,
  type Usage,
} from "./port.ts";

/** A transfer to a deposit's address, with whose address it is. */
export type WatchedTransfer = {
  readonly transfer: Transfer;
  readonly origin: Origin;
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
export type OwnFacts = {
  readonly arrivals: readonly OwnArrival[];
  /** Transactions of our own that it holds. */
  readonly mined: readonly MinedSpend[];
  /** What its transactions use up, ours and everybody's. */
  readonly usage: Usage;
};

export const noOwnFacts: OwnFacts = { arrivals: [], mined: [], usage: noUsage };

/** A transfer that we hold as unconfirmed and that is in no block. */
export type Outstanding = {
  readonly accountId: string;
  readonly transferId: string;
  readonly txid: string;
  readonly spends: readonly string[];
  readonly firstSeenAt: Instant;
};

/** What became of a transfer that waited for a block. */
export type LearnedFate = { readonly outstanding: Outstanding; readonly fate: Fate };

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
    own: OwnFacts,
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
  readonly outstanding: (tx: Executor, chain: string) => Promise<readonly Outstanding[]>;
  /**
   * These are given up: conflicted, included in a block that was read and delivered nothing there, or unknown to the node for so
   * long that no mempool holds them any more. They are cancelled; should one come after all, it counts again.
   */
  readonly fatesLearned: (
    tx: Executor,
    chain: string,
    fates: readonly LearnedFate[],
    now: Instant,
  ) => Promise<void>;
};
