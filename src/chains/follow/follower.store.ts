import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { BlockRef } from "../port.ts";
import { whileBlocksAreWritten } from "./chain-lease.store.ts";
import type { Cursor, Fence } from "./cursor.ts";

export type CursorRow = Cursor & {
  readonly network: string;
  readonly blockTime: Instant | null;
  readonly nodeHeight: number | null;
  readonly caughtUpAt: Instant | null;
  readonly leaseHolder: string | null;
  readonly leaseExpiresAt: Instant | null;
};

type CursorColumns = {
  readonly network: string;
  readonly height: string;
  readonly hash: string | null;
  readonly blockTime: Instant | null;
  readonly nodeHeight: string | null;
  readonly caughtUpAt: Instant | null;
  readonly leaseHolder: string | null;
  readonly leaseExpiresAt: Instant | null;
};

const readCursorStatement = statement<CursorColumns>(
  "follower.read-cursor",
  `select network, height, hash, block_time as "blockTime", node_height as "nodeHeight",
     caught_up_at as "caughtUpAt", lease_holder as "leaseHolder", lease_expires_at as "leaseExpiresAt"
   from chain_cursor where chain = $1`,
);

/** The cursor of a chain; null before the chain's first start. */
export async function readCursor(db: Executor, chain: string): Promise<CursorRow | null> {
  const [row] = await db.query(readCursorStatement, [chain]);
  if (row === undefined) return null;
  return {
    ...row,
    height: Number(row.height),
    nodeHeight: row.nodeHeight === null ? null : Number(row.nodeHeight),
  };
}

const openCursorStatement = statement<never>(
  "follower.open-cursor",
  `insert into chain_cursor (chain, network, height, updated_at)
   values ($1, $2, $3::bigint - 1, $4) on conflict (chain) do nothing`,
);

/** Creates the cursor at a chain's first start, reading from `startHeight`. Does nothing if it exists. */
export async function createCursor(
  db: Executor,
  chain: string,
  network: string,
  startHeight: number,
  now: Instant,
): Promise<void> {
  await db.query(openCursorStatement, [chain, network, startHeight, formatTimestamp(now)]);
}

/*
 * Guard, block row and scanned height in one round trip: nothing happens unless the cursor stands right below the block,
 * under our fence. Ranges in `scanned_range` neither overlap nor touch: the height extends the range that ends at or above
 * the one below it, and absorbs the range that begins right above.
 */
const recordBlockStatement = statement<{ chain: string }>(
  "follower.record-block",
  `with moved as (
     update chain_cursor
     set height = $3::bigint, hash = $4::text, block_time = $6::timestamptz, node_height = $7::bigint,
       lease_expires_at = $8::timestamptz, updated_at = $9::timestamptz
     where chain = $1::text and fence = $2::bigint and lease_holder is not null
       and height = $3::bigint - 1 and hash is not distinct from $10::text
     returning chain
   ), block as (
     insert into chain_block (chain, height, hash, parent_hash, block_time, scanned_at, read_from)
     select chain, $3::bigint, $4::text, $5::text, $6::timestamptz, $9::timestamptz, $11::text from moved
     on conflict (chain, hash) do update set orphaned_at = null, scanned_at = excluded.scanned_at, read_from = excluded.read_from
   ), trusted as (
     delete from node_doubt using moved
     where node_doubt.chain = moved.chain and node = $11::text and kind = 'refused'
       and node_doubt.height <= $3::bigint
   ), above as (
     delete from scanned_range using moved
     where scanned_range.chain = moved.chain and from_height = $3::bigint + 1
     returning to_height
   ), extended as (
     update scanned_range
     set to_height = greatest(to_height, $3::bigint, (select to_height from above)),
       last_scanned_at = $9::timestamptz
     from moved
     where scanned_range.chain = moved.chain and from_height <= $3::bigint and to_height >= $3::bigint - 1
     returning from_height
   ), opened as (
     insert into scanned_range (chain, from_height, to_height, first_scanned_at, last_scanned_at)
     select chain, $3::bigint, coalesce((select to_height from above), $3::bigint),
       $9::timestamptz, $9::timestamptz
     from moved where not exists (select from extended)
   )
   select chain from moved`,
);

/** Moves the cursor to the block and records it. False, with nothing written, when the cursor is not ours or moved. */
export async function recordBlock(
  tx: Executor,
  { chain, fence }: Fence,
  expected: Cursor,
  block: BlockRef,
  written: {
    readonly nodeHeight: number;
    readonly leaseExpiresAt: Instant;
    /** The node that the block was read from. */
    readonly readFrom: string;
    readonly now: Instant;
  },
): Promise<boolean> {
  const rows = await tx.query(recordBlockStatement, [
    chain,
    fence,
    block.height,
    block.hash,
    block.parentHash,
    formatTimestamp(block.time),
    written.nodeHeight,
    formatTimestamp(written.leaseExpiresAt),
    formatTimestamp(written.now),
    expected.hash,
    written.readFrom,
  ]);
  return rows.length === 1;
}

type BlockColumns = {
  readonly height: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Instant;
};

const bestBlockStatement = statement<BlockColumns>(
  "follower.best-block",
  `select height, hash, parent_hash as "parentHash", block_time as time
   from chain_block where chain = $1 and height = $2 and orphaned_at is null`,
);

/** Our best-chain block at a height; null if we hold none. */
export async function bestBlockAt(
  db: Executor,
  chain: string,
  height: number,
): Promise<BlockRef | null> {
  const [row] = await db.query(bestBlockStatement, [chain, height]);
  return row === undefined ? null : { ...row, height: Number(row.height) };
}

const peakStatement = statement<{ height: string | null }>(
  "follower.peak",
  "select max(height) as height from chain_block where chain = $1",
);

/** The greatest height we ever held a block at, among stored blocks: reorg depth is counted from there. */
export async function peakHeight(db: Executor, chain: string): Promise<number | null> {
  const [row] = await db.query(peakStatement, [chain]);
  return row === undefined || row.height === null ? null : Number(row.height);
}

const lowestKeptStatement = statement<{ height: string }>(
  "follower.lowest-kept",
  `select lowest.height
   from (select min(height) as height from chain_block where chain = $1 and orphaned_at is null) as lowest
   where exists (select from scanned_range where chain = $1 and from_height < lowest.height)`,
);

/** The height of the lowest stored block where lower ones were scanned and pruned; else null. */
export async function lowestKept(db: Executor, chain: string): Promise<number | null> {
  const [row] = await db.query(lowestKeptStatement, [chain]);
  return row === undefined ? null : Number(row.height);
}

const stepBackStatement = statement<{ chain: string }>(
  "follower.step-back",
  `with moved as (
     update chain_cursor
     set height = $4::bigint, hash = $5::text, block_time = $6::timestamptz, updated_at = $7::timestamptz,
       locked_height = case when locked_height > $4::bigint then $4::bigint else locked_height end
     where chain = $1::text and fence = $2::bigint and lease_holder is not null and hash = $3::text
     returning chain
   ), orphan as (
     update chain_block set orphaned_at = $7::timestamptz
     from moved where chain_block.chain = moved.chain and chain_block.hash = $3::text
   )
   select chain from moved`,
);

/** Orphans our newest block, `hash`, and moves the cursor to `below`. False when the cursor is not ours or moved. */
export async function stepBack(
  tx: Executor,
  { chain, fence }: Fence,
  hash: string,
  below: Cursor & { readonly blockTime: Instant | null },
  now: Instant,
): Promise<boolean> {
  const rows = await tx.query(stepBackStatement, [
    chain,
    fence,
    hash,
    below.height,
    below.hash,
    below.blockTime === null ? null : formatTimestamp(below.blockTime),
    formatTimestamp(now),
  ]);
  return rows.length === 1;
}

const holdCursorStatement = statement<{ chain: string }>(
  "follower.hold-cursor",
  `select chain from chain_cursor
   where chain = $1 and fence = $2::bigint and lease_holder is not null
     and height = $3::bigint and hash is not distinct from $4::text
   for update`,
  whileBlocksAreWritten,
);

/** Locks the cursor until the transaction ends. False when it is not ours or has moved. */
export async function lockCursor(
  tx: Executor,
  { chain, fence }: Fence,
  expected: Cursor,
): Promise<boolean> {
  const rows = await tx.query(holdCursorStatement, [chain, fence, expected.height, expected.hash]);
  return rows.length === 1;
}

const noteCaughtUpStatement = statement<{ chain: string }>(
  "follower.note-caught-up",
  `update chain_cursor
   set caught_up_at = $5::timestamptz, node_height = height,
     lease_expires_at = $6::timestamptz, updated_at = $7::timestamptz
   where chain = $1 and fence = $2::bigint and lease_holder is not null
     and height = $3::bigint and hash is not distinct from $4::text
   returning chain`,
  whileBlocksAreWritten,
);

/**
 * Records that everything the node showed before `asOf` is processed. A stored time in the future comes from a wrong clock
 * and is replaced. False when the cursor is not ours or moved.
 */
export async function recordCaughtUp(
  db: Executor,
  { chain, fence }: Fence,
  expected: Cursor,
  written: { readonly asOf: Instant; readonly leaseExpiresAt: Instant; readonly now: Instant },
): Promise<boolean> {
  const rows = await db.query(noteCaughtUpStatement, [
    chain,
    fence,
    expected.height,
    expected.hash,
    formatTimestamp(written.asOf),
    formatTimestamp(written.leaseExpiresAt),
    formatTimestamp(written.now),
  ]);
  return rows.length === 1;
}

const recordLockStatement = statement<{ chain: string }>(
  "follower.record-lock",
  `update chain_cursor set locked_height = $5::bigint, updated_at = $6::timestamptz
   where chain = $1 and fence = $2::bigint and lease_holder is not null
     and height = $3::bigint and hash is not distinct from $4::text
   returning chain`,
  whileBlocksAreWritten,
);

/** Records the height of the newest locked block. False when the cursor is not ours or moved. */
export async function recordLock(
  db: Executor,
  { chain, fence }: Fence,
  expected: Cursor,
  lockedHeight: number,
  now: Instant,
): Promise<boolean> {
  const rows = await db.query(recordLockStatement, [
    chain,
    fence,
    expected.height,
    expected.hash,
    lockedHeight,
    formatTimestamp(now),
  ]);
  return rows.length === 1;
}

const pruneBlocksStatement = statement<{ count: string }>(
  "follower.prune-blocks",
  `with pruned as (
     delete from chain_block
     where chain = $1 and height < (select height from chain_cursor where chain = $1) - $2::bigint
     returning 1
   )
   select count(*) from pruned`,
);

/**
 * Deletes blocks more than `keep` below the cursor and returns their number; `scanned_range` still proves that they were
 * scanned.
 */
export async function pruneBlocksBelow(db: Executor, chain: string, keep: number): Promise<number> {
  const [row] = await db.query(pruneBlocksStatement, [chain, keep]);
  return Number(row?.count ?? 0);
}
