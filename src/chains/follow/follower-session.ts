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
import { createReadAhead, type ReadAhead } from "./read-ahead.ts";

export type FollowerSettings = {
  /** A follower that says nothing for so long has lost its chain to another one. */
  readonly leaseMs: number;
  /** A step that takes so long hangs: the lease is let go, for another process to try. */
  readonly stallMs: number;
  /** Longest sleep at the tip: also how often pending transactions are looked at. */
  readonly idleMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** Blocks asked for at once while behind. */
  readonly readAhead: number;
  /** So many blocks behind, the addresses in use are loaded to be matched in memory. */
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
  | "standby"
  | "unavailable"
  | "wrongNetwork"
  | "stopped";

/** What a follower does, for metrics and the operator's view. Heights are null before they are known. */
export type Progress = {
  readonly chain: string;
  readonly state: FollowerState;
  readonly height: number | null;
  readonly nodeHeight: number | null;
  /** What this report is about, if something was committed. */
  readonly event: "appended" | "orphaned" | "caughtUp" | null;
  /** Transfers to our addresses in it. */
  readonly hits: number;
};

/** Everything that following one chain takes. */
export type FollowerContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly adapter: ChainAdapter;
  readonly sink: BlockSink;
  /**
   * Ids of the chain's transactions of our own that were signed and whose fate is open: a block may hold any of them. Null
   * where the deployment only receives.
   */
  readonly ownTxids: ((db: Executor, chain: string) => Promise<readonly string[]>) | null;
  /** What no amount of the currency exceeds; null: no bound. */
  readonly supplyOf: (currency: CurrencyId) => bigint | null;
  /** Done at the node's tip before the chain counts as read up to it. */
  readonly atTip?: (signal: AbortSignal) => Promise<void>;
  /** Names this process among those that share the database. */
  readonly holder: string;
  /** Height to read from at the very first start; null for the node's tip. */
  readonly startHeight: number | null;
  readonly settings: FollowerSettings;
  readonly onProgress: (progress: Progress) => void;
};

/** Another follower has taken over the chain. Nothing is wrong: this one stands by. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** A block read from the node and matched, ready to be committed. */
export type PreparedBlock = {
  readonly block: BlockRef;
  /** The node that told all of it. */
  readonly node: string;
  readonly hits: readonly WatchedTransfer[];
  readonly own: OwnActivity;
};

/** One follower's time with one chain: begins with the lease, ends with it or with the first error. */
export type Session = {
  readonly fence: Fence;
  readonly signal: AbortSignal;
  readonly ahead: ReadAhead<PreparedBlock | null>;
  /** True once another follower was found to have taken over, or should. */
  readonly isLost: () => boolean;
  readonly end: () => Promise<void>;
  cursor: Cursor;
  /** When the last step ended. */
  steppedAt: Instant;
  /** The node's tip at the last look; null when it has to be asked again. */
  tip: BlockRef | null;
  /** While far behind; null otherwise. */
  filter: CatchUpFilter | null;
  /** Read before the tip was asked: everything the node knew by then is visible in what it answers from there on. */
  tipReadAt: Instant;
  /** Waiting transactions that were matched in this session and need not be again. */
  matchedPending: Set<string>;
  /** Our newest block when fates were last asked: without another block nothing new can conflict. */
  statusesReadAt: string | null;
};

/** When a lease that is taken or renewed now runs out. */
export function leaseEnd({ clock, settings }: FollowerContext): Instant {
  return addSeconds(clock.now(), settings.leaseMs / 1000);
}

/**
 * Checks that the node is of the chain's network, and takes the chain's lease. Null while another follower has it.
 * Throws `WrongNetwork` for a node whose first block is not the one this database has followed, `Unavailable` with the
 * node.
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
      await renewing;
      await releaseLease(db, taken.fence, clock.now());
    },
    steppedAt: clock.now(),
    tip: null,
    filter: null,
    tipReadAt: clock.now(),
    matchedPending: new Set(),
    statusesReadAt: null,
  };
  const renewing = renewUntilAborted(context, session, () => {
    lost = true;
    stop.abort();
  });
  return session;
}

/** The hash of block 0 names the network: recorded at the first start, compared ever after. */
async function verifyNetwork(context: FollowerContext, signal: AbortSignal): Promise<void> {
  const { db, adapter, clock } = context;
  await adapter.reader.verifyNetwork(signal);
  const first = await adapter.reader.headerAt(0, signal);
  if (first === null) throw new Unavailable(adapter.chain, "the node has no block 0");
  if ((await readCursor(db, adapter.chain)) === null) {
    const height = await findStartHeight(context, signal);
    await createCursor(db, adapter.chain, first.hash, height, clock.now());
  }
  const cursor = await readCursor(db, adapter.chain);
  if (cursor !== null && cursor.network !== first.hash) {
    throw new WrongNetwork(
      `${adapter.chain}: the node's first block is ${first.hash}, this database follows ${cursor.network}`,
    );
  }
}

/** Slow answers of a node must not cost the lease, so it is renewed beside the work. */
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
      logger.error("following hangs, its lease is let go", { chain: adapter.chain });
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
 * Reads a block from one node as a whole, or from the next one where that does not answer or gives an answer that no honest
 * node gives. Null when the node has no such block (any more).
 */
async function prepareBlock(
  context: FollowerContext,
  height: number,
  filter: CatchUpFilter | null,
  signal: AbortSignal,
): Promise<PreparedBlock | null> {
  const { chain, nodes } = context.adapter;
  let failure = new Unavailable(chain, "each node is set aside for an answer that was refused");
  for (const from of nodes.available()) {
    try {
      return await readBlock(context, from, height, filter, signal);
    } catch (error) {
      if (!(error instanceof Unavailable) || signal.aborted) throw error;
      if (error instanceof ImpossibleAnswer) await refuseAnswer(context, from.node, height, error);
      failure = error;
    }
  }
  throw failure;
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
  const { keyspace, chain } = adapter;
  const [{ hits, arrivals, withoutSenders: withoutOrigin }, mined] = await Promise.all([
    matchTransfers(db, { keyspace, reader }, content.transfers, header, signal, vouching),
    findMined(context, reader, header, signal),
  ]);
  if (mined === null) return null;
  assertPossible({ chain, node, supplyOf }, [...hits, ...arrivals], mined);
  if (withoutOrigin.length > 0) {
    throw new Unavailable(chain, `the node gave no origin for ${withoutOrigin.join(", ")}`);
  }
  return { block: header, node, hits, own: { arrivals, receipts: mined, spends: content.spends } };
}

/** The node is left alone for a while, and operators are shown why. */
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
 * Which transactions of our own the block holds; null when it is gone. Asked once the block was read: a transaction is
 * stored before the network hears of it, so each one that the block can hold is among the ids that this statement sees.
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
