import { present } from "../../platform/kernel/assert.ts";
import { secondsBetween } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { assertPossible } from "../assert-possible.ts";
import type { DroppedTransfer } from "../block-sink.ts";
import type { NodeReader } from "../chain-adapter.ts";
import { ImpossibleAnswer, type TransactionStatus, type Transfer } from "../port.ts";
import { countPendingOnce } from "./count-once.ts";
import { lockCursor, recordCaughtUp } from "./follower.store.ts";
import {
  type FollowerContext,
  LeaseLost,
  leaseEnd,
  refuseAnswer,
  type Session,
} from "./follower-session.ts";
import { matchTransfers } from "./match-transfers.ts";

/**
 * At the node's tip: reports pending payments and payments that can never confirm, then records that everything the node showed
 * before is processed (expiry relies on it). False if a block arrived in between.
 * A payment may move from the mempool into a block between two requests and be in neither answer. So the tip is read again at the
 * end: only if it is unchanged do blocks and mempool together contain everything.
 */
export async function readPending(context: FollowerContext, session: Session): Promise<boolean> {
  const { adapter, clock, db } = context;
  const [from] = adapter.nodes.available();
  if (from === undefined)
    throw new Unavailable(adapter.chain, "every node is set aside after an impossible answer");
  const { pendingTransfers: pending } = from.reader;
  const waiting = pending === null ? [] : await pending(session.signal);
  await reportPending(context, session, from, waiting);
  await context.atTip?.(session.signal);
  const { dropped, isComplete } = await findDropped(context, session, waiting);

  const tip = await adapter.reader.tip(session.signal);
  if (tip.hash !== session.cursor.hash) {
    session.tip = null;
    return false;
  }
  await reportDropped(context, session, dropped);
  if (isComplete) session.statusesReadAt = session.cursor.hash;
  const isOurs = await recordCaughtUp(db, session.fence, session.cursor, {
    asOf: session.tipReadAt,
    leaseExpiresAt: leaseEnd(context),
    now: clock.now(),
  });
  if (!isOurs) throw new LeaseLost(adapter.chain);
  return true;
}

/**
 * A transaction's outputs never change, and an address is paid only after it was issued (see `matchTransfers`): matching a
 * pending transaction once is enough.
 */
async function reportPending(
  context: FollowerContext,
  session: Session,
  { node, reader }: NodeReader,
  waiting: readonly Transfer[],
): Promise<void> {
  const { adapter, clock, db, sink, supplyOf } = context;
  const { chain, keyspace, addressing } = adapter;
  const unseen = waiting.filter((transfer) => !session.matchedPending.has(transfer.key.txid));
  const { hits, withoutSenders: withoutOrigin } = await matchTransfers(
    db,
    { keyspace, reader, addressing },
    { transfers: unseen },
    null,
    session.signal,
  );
  try {
    assertPossible({ chain, node, supplyOf }, hits, []);
  } catch (error) {
    if (error instanceof ImpossibleAnswer)
      await refuseAnswer(context, node, session.cursor.height, error);
    throw error;
  }
  if (hits.length > 0) {
    await db.transaction(async (tx) => {
      const isOurs = await lockCursor(tx, session.fence, session.cursor);
      if (!isOurs) throw new LeaseLost(adapter.chain);
      const payments = await countPendingOnce(tx, chain, hits);
      await sink.pendingSeen(tx, chain, payments, clock.now());
    });
  }
  const seen = new Set(waiting.map((transfer) => transfer.key.txid));
  for (const txid of withoutOrigin) seen.delete(txid);
  session.matchedPending = seen;
}

/**
 * Asked once per new block, since a conflict exists only once the other transaction is in a block; and again while deferred
 * reports may make more transfers pending, such as those of a block that was just orphaned.
 */
async function findDropped(
  { adapter, clock, db, sink }: FollowerContext,
  session: Session,
  waiting: readonly Transfer[],
): Promise<{ readonly dropped: readonly DroppedTransfer[]; readonly isComplete: boolean }> {
  if (session.statusesReadAt === session.cursor.hash) return { dropped: [], isComplete: true };
  const stillWaiting = new Set(waiting.map((transfer) => transfer.key.txid));
  const { transfers, isComplete } = await sink.pendingTransfers(db, adapter.chain);
  const missing = transfers.filter(({ txid }) => !stillWaiting.has(txid));
  // A transaction may have paid us thousands of times; it has one status.
  const spendsOf = new Map(missing.map(({ txid, claims: spends }) => [txid, spends]));
  const statuses = new Map<string, TransactionStatus>();
  const txids = [...spendsOf.keys()];
  for (let from = 0; from < txids.length; from += statusesAtOnce) {
    await Promise.all(
      txids.slice(from, from + statusesAtOnce).map(async (txid) => {
        const spends = spendsOf.get(txid) ?? [];
        statuses.set(txid, await adapter.reader.statusOf(txid, spends, session.signal));
      }),
    );
  }
  const dropped = missing.flatMap((outstanding) => {
    const status = present(statuses.get(outstanding.txid), `the status of ${outstanding.txid}`);
    const waitedSeconds = secondsBetween(outstanding.firstSeenAt, clock.now());
    return isDead(
      status,
      session.cursor.height,
      waitedSeconds > adapter.reader.forgottenAfterSeconds,
    )
      ? [{ transfer: outstanding, status }]
      : [];
  });
  return { dropped, isComplete };
}

/** Parallel requests to the node. */
const statusesAtOnce = 16;

/** Dropped transfers per database transaction. */
const droppedPerTransaction = 500;

/**
 * A transfer is dropped if another transaction replaced it; if it is in a scanned block (the tip has not moved since) where
 * it delivered nothing, since a transaction may fail after a reorg; or if it was unknown for so long that it must not keep an
 * invoice open forever.
 */
function isDead(status: TransactionStatus, readHeight: number, isForgotten: boolean): boolean {
  switch (status.kind) {
    case "conflicted":
      return true;
    case "included":
      return status.height <= readHeight;
    case "unknown":
      return isForgotten;
    case "pending":
      return false;
  }
}

async function reportDropped(
  { adapter, clock, db, sink }: FollowerContext,
  session: Session,
  conflicts: readonly DroppedTransfer[],
): Promise<void> {
  for (let from = 0; from < conflicts.length; from += droppedPerTransaction) {
    const dropped = conflicts.slice(from, from + droppedPerTransaction);
    await db.transaction(async (tx) => {
      const isOurs = await lockCursor(tx, session.fence, session.cursor);
      if (!isOurs) throw new LeaseLost(adapter.chain);
      await sink.transfersDropped(tx, adapter.chain, dropped, clock.now());
    });
  }
}
