import type { Database, Executor } from "../../platform/db/database.ts";
import {
  addSeconds,
  type Clock,
  type Instant,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { assertPossible } from "../assert-possible.ts";
import type { BlockSink, OwnActivity, WatchedTransfer } from "../block-sink.ts";
import type { ChainAdapter, NodeReader } from "../chain-adapter.ts";
import {
  type BlockRef,
  type ChainReader,
  ImpossibleAnswer,
  type TransactionReceipt,
  WrongNetwork,
} from "../port.ts";
import type { CatchUpFilter } from "./catch-up-filter.ts";
import { releaseLease, renewLease, takeLease } from "./chain-lease.store.ts";
import type { Cursor, Fence } from "./cursor.ts";
import { findStartHeight } from "./find-start-height.ts";
import { createCursor, readCursor } from "./follower.store.ts";
import { matchTransfers } from "./match-transfers.ts";
import { recordDoubt } from "./node-doubt.store.ts";
import { preferNodeAhead } from "./prefer-node-ahead.ts";
import { createReadAhead, type ReadAhead } from "./read-ahead.ts";

export type FollowerSettings = {
  /** A follower that does not renew its lease for this long loses the chain. */
  readonly leaseMs: number;
  /** A step that takes this long has hung: the lease is released for another process. */
  readonly stallMs: number;
  /** Longest sleep at the tip, and so the interval for reading pending transactions. */
  readonly idleMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** Blocks read in parallel while behind. */
  readonly readAhead: number;
  /** From this many blocks behind, addresses in use are loaded and matched in memory. */
  readonly filterFromBlocks: number;
};

export const defaultFollowerSettings: FollowerSettings = {
  leaseMs: 60_000,
  stallMs: 600_000,
  idleMs: 1_000,
  backoffMinMs: 500,
  backoffMaxMs: 30_000,
  readAhead: 4,
  filterFromBlocks: 1_000,
};

export type FollowerState =
  | "following"
  | "atTip"
  | "behind"
  /** A person has stopped reading. */
  | "held"
  | "standby"
  | "unavailable"
  | "wrongNetwork"
  | "stopped";

/** A follower's progress, for metrics and the operations page. Heights are null before they are known. */
export type Progress = {
  readonly chain: string;
  readonly state: FollowerState;
  readonly height: number | null;
  readonly nodeHeight: number | null;
  /** What was committed, if anything. */
  readonly event: "appended" | "orphaned" | "caughtUp" | null;
  /** Transfers to our addresses in the block. */
  readonly hits: number;
};

/** What following a chain needs. */
export type FollowerContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly adapter: ChainAdapter;
  readonly sink: BlockSink;
  /**
   * Ids of our own signed transactions whose outcome is open: a block may contain any of them. Null if the deployment only
   * receives.
   */
  readonly ownTxids: ((db: Executor, chain: string) => Promise<readonly string[]>) | null;
  /** The currency's supply; null if unlimited. */
  readonly supplyOf: (currency: CurrencyId) => bigint | null;
  /** Runs at the node's tip before the chain counts as caught up. */
  readonly atTip?: (signal: AbortSignal) => Promise<void>;
  /** Whether a person has stopped reading the chain: then no block is appended or orphaned. Absent: never. */
  readonly isHeld?: (db: Executor, chain: string) => Promise<boolean>;
  /** This process's name among those that share the database. */
  readonly holder: string;
  /** First height to read at the very first start; null for the node's tip. */
  readonly startHeight: number | null;
  readonly settings: FollowerSettings;
  readonly onProgress: (progress: Progress) => void;
};

/** Another follower has taken over the chain. This one stands by; nothing is wrong. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** A block that was read and matched, ready to be committed. */
export type PreparedBlock = {
  readonly block: BlockRef;
  /** The node that it was read from. */
  readonly node: string;
  readonly hits: readonly WatchedTransfer[];
  readonly own: OwnActivity;
  /** See `BlockContent.lacks`; null if nothing. */
  readonly lacks: string | null;
};

/** A follower's session with one chain: from taking the lease until it is lost or the first error. */
export type Session = {
  readonly fence: Fence;
  readonly signal: AbortSignal;
  readonly ahead: ReadAhead<PreparedBlock | null>;
  /** True once another follower has taken over, or should. */
  readonly isLost: () => boolean;
  readonly end: () => Promise<void>;
  cursor: Cursor;
  /** When the last step ended. */
  steppedAt: Instant;
  /** The node's tip when last read; null when it must be read again. */
  tip: BlockRef | null;
  /** While far behind; null otherwise. */
  filter: CatchUpFilter | null;
  /** The time before the tip was read: everything the node knew by then is visible afterwards. */
  tipReadAt: Instant;
  /** Pending transactions that this session has already matched. */
  matchedPending: Set<string>;
  /** The newest locked block when it was last recorded; null before, and after a reorg. */
  lockedHash: string | null;
  /** Our newest block when statuses were last read: without a new block there is no new conflict. */
  statusesReadAt: string | null;
};

/** When a lease taken or renewed now expires. */
export function leaseEnd({ clock, settings }: FollowerContext): Instant {
  return addSeconds(clock.now(), settings.leaseMs / 1000);
}

/**
 * Verifies the node's network and takes the chain's lease; null while another follower holds it. Throws `WrongNetwork` for a
 * node whose first block is not the one this database follows, `Unavailable` with the node.
 */
export async function startSession(
  context: FollowerContext,
  signal: AbortSignal,
): Promise<Session | null> {
  await verifyNetwork(context, signal);
  const { db, adapter, clock, holder } = context;
  const taken = await takeLease(db, adapter.chain, holder, leaseEnd(context), clock.now());
  if (taken === null) return null;

  const stop = new AbortController();
  const sessionSignal = AbortSignal.any([signal, stop.signal]);
  let lost = false;
  const session: Session = {
    ...taken,
    signal: sessionSignal,
    ahead: createReadAhead(
      (height, aborted) => prepareBlock(context, height, session.filter, aborted),
      context.settings.readAhead,
      sessionSignal,
    ),
    isLost: () => lost,
    end: async () => {
      stop.abort();
      await Promise.all([renewing, comparing]);
      await releaseLease(db, taken.fence, clock.now());
    },
    steppedAt: clock.now(),
    tip: null,
    filter: null,
    tipReadAt: clock.now(),
    matchedPending: new Set(),
    lockedHash: null,
    statusesReadAt: null,
  };
  const renewing = renewUntilAborted(context, session, () => {
    lost = true;
    stop.abort();
  });
  const comparing = preferNodeAhead(context, session);
  return session;
}

/** What identifies the network is stored at the first start and compared at every later one. */
async function verifyNetwork(context: FollowerContext, signal: AbortSignal): Promise<void> {
  const { db, adapter, clock } = context;
  await adapter.reader.verifyNetwork(signal);
  const identity = await identityOf(adapter, signal);
  if ((await readCursor(db, adapter.chain)) === null) {
    const height = await findStartHeight(context, signal);
    await createCursor(db, adapter.chain, identity, height, clock.now());
  }
  const cursor = await readCursor(db, adapter.chain);
  if (cursor !== null && cursor.network !== identity) {
    throw new WrongNetwork(
      `${adapter.chain}: the node's network is ${identity}, this database follows ${cursor.network}`,
    );
  }
}

/** The hash of block 0 where nodes have that block. */
async function identityOf({ chain, reader }: ChainAdapter, signal: AbortSignal): Promise<string> {
  if (reader.networkIdentity !== undefined) return await reader.networkIdentity(signal);
  const first = await reader.headerAt(0, signal);
  if (first === null) throw new Unavailable(chain, "the node has no block 0");
  return first.hash;
}

/** Renews the lease in parallel, so that slow nodes do not cost it. */
async function renewUntilAborted(
  context: FollowerContext,
  session: Session,
  onLost: () => void,
): Promise<void> {
  const { db, clock, settings, logger, adapter } = context;
  for (;;) {
    await clock.sleep(settings.leaseMs / 3, session.signal);
    if (session.signal.aborted) return;
    if (secondsBetween(session.steppedAt, clock.now()) * 1000 > settings.stallMs) {
      logger.error("following hangs: lease released", { chain: adapter.chain });
      onLost();
      return;
    }
    try {
      const nodeHeight = session.tip?.height ?? null;
      const isOurs = await renewLease(
        db,
        session.fence,
        leaseEnd(context),
        nodeHeight,
        clock.now(),
      );
      if (!isOurs) {
        onLost();
        return;
      }
    } catch (error) {
      logger.warn("lease not renewed", { chain: adapter.chain, error: errorMessage(error) });
    }
  }
}

/**
 * Reads a block from one node, or from the next one if it does not answer or gives an impossible answer. If a node cannot show all of the block,
 * the others are asked for it too before it is accepted. Null when the node has no such block.
 */
async function prepareBlock(
  context: FollowerContext,
  height: number,
  filter: CatchUpFilter | null,
  signal: AbortSignal,
): Promise<PreparedBlock | null> {
  const { adapter, logger } = context;
  const { chain, nodes } = adapter;
  let failure = new Unavailable(chain, "every node is set aside after an impossible answer");
  let partial: PreparedBlock | null = null;
  for (const from of nodes.available()) {
    try {
      const read = await readBlock(context, from, height, filter, signal);
      if (partial === null && (read === null || read.lacks === null)) return read;
      if (read?.lacks === null && read.block.hash === partial?.block.hash) return read;
      partial ??= read;
    } catch (error) {
      if (!(error instanceof Unavailable) || signal.aborted) throw error;
      if (error instanceof ImpossibleAnswer) await refuseAnswer(context, from.node, height, error);
      failure = error;
    }
  }
  if (partial === null) throw failure;
  const { node, lacks } = partial;
  logger.error("no node shows all of a block", { chain, height, node, lacks });
  return partial;
}

async function readBlock(
  context: FollowerContext,
  { node, reader }: NodeReader,
  height: number,
  filter: CatchUpFilter | null,
  signal: AbortSignal,
): Promise<PreparedBlock | null> {
  const { db, adapter, supplyOf } = context;
  const header = await reader.headerAt(height, signal);
  if (header === null) return null;
  const vouching = filter !== null && height <= filter.upToHeight ? filter : null;
  const content = await reader.readBlock(header, signal, vouching?.mayBeWatched);
  if (content === null) return null;
  const { keyspace, chain, addressing } = adapter;
  const [{ hits, arrivals, strays, withoutSenders: withoutOrigin }, mined] = await Promise.all([
    matchTransfers(db, { keyspace, reader, addressing }, content, header, signal, vouching),
    findMined(context, reader, header, signal),
  ]);
  if (mined === null) return null;
  assertPossible({ chain, node, supplyOf }, [...hits, ...arrivals, ...strays], mined);
  if (withoutOrigin.length > 0) {
    throw new Unavailable(chain, `the node has no senders for ${withoutOrigin.join(", ")}`);
  }
  const { charges = [], spends, lacks = null } = content;
  const own = { arrivals, strays, receipts: mined, spends, charges };
  return { block: header, node, hits, own, lacks };
}

/** Sets the node aside and records the reason for operators. */
export async function refuseAnswer(
  { db, adapter: { chain, nodes }, clock }: FollowerContext,
  node: string,
  height: number,
  error: ImpossibleAnswer,
): Promise<void> {
  nodes.setAside(node, error);
  const reason = error.message;
  await recordDoubt(db, { chain, node, kind: "refused", reason, height }, clock.now());
}

/**
 * Receipts of our own transactions in the block; null when it is gone. Queried after the block was read: a transaction is
 * stored before it is broadcast, so every one that the block can contain is among these ids.
 */
async function findMined(
  { db, adapter, ownTxids }: FollowerContext,
  reader: ChainReader,
  block: BlockRef,
  signal: AbortSignal,
): Promise<readonly TransactionReceipt[] | null> {
  const txids = ownTxids === null ? [] : await ownTxids(db, adapter.chain);
  return txids.length === 0 ? [] : await reader.receiptsIn(txids, block, signal);
}
