import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import type { Validity } from "../../platform/kernel/validity.ts";

const holdTip = statement<{
  readonly height: string | null;
  readonly locked_height: string | null;
}>(
  "spend-block.hold-tip",
  "select height, locked_height from chain_cursor where chain = $1 for share",
);

/** How far a chain has been read, and up to which height its network has locked it (null where it locks nothing). */
type HeldTip = { readonly height: number; readonly lockedHeight: number | null };

/**
 * How far the chain has been read; no block is appended or orphaned before the transaction ends. Null before the first block.
 */
export async function lockTip(tx: Executor, chain: string): Promise<HeldTip | null> {
  const [row] = await tx.query(holdTip, [chain]);
  if (row === undefined || row.height === null) return null;
  const { height, locked_height: locked } = row;
  return { height: Number(height), lockedHeight: locked === null ? null : Number(locked) };
}

/** The height of `lockTip` alone. */
export async function lockTipHeight(tx: Executor, chain: string): Promise<number | null> {
  return (await lockTip(tx, chain))?.height ?? null;
}

const readTipStatement = statement<{
  readonly height: string | null;
  readonly time: Instant | null;
}>("spend-block.read-tip", "select height, block_time as time from chain_cursor where chain = $1");

/** Height and time of the newest block that was read; null before the first block. */
export async function readTip(
  db: Executor,
  chain: string,
): Promise<{ readonly height: number; readonly time: Instant } | null> {
  const [row] = await db.query(readTipStatement, [chain]);
  if (row === undefined || row.height === null || row.time === null) return null;
  return { height: Number(row.height), time: row.time };
}

/** The height up to which the chain was read; null before the first block. */
export async function readTipHeight(db: Executor, chain: string): Promise<number | null> {
  return (await readTip(db, chain))?.height ?? null;
}

const findEnd = statement<{ readonly height: string; readonly hash: string }>(
  "spend-block.find-end",
  `select height, hash from chain_block
   where chain = $1 and orphaned_at is null and height between $2 and $3
     and ($4::timestamptz is null or block_time >= $4::timestamptz)
   order by height limit 1`,
);

/** The lowest block of the best chain, up to that height, after which a transaction of none of the validities can be included. */
export async function findBlockAfter(
  db: Executor,
  chain: string,
  validities: readonly Validity[],
  heightMax: number,
): Promise<{ readonly height: number; readonly hash: string } | null> {
  const lasts = validities.map((one) => (one.kind === "height" ? one.last : 0));
  const ends = validities.flatMap((one) => (one.kind === "time" ? [one.until] : []));
  const latest = ends.length === 0 ? null : (Math.max(...ends) as Instant);
  const [row] = await db.query(findEnd, [
    chain,
    Math.max(0, ...lasts),
    heightMax,
    formatTimestampOrNull(latest),
  ]);
  return row === undefined ? null : { height: Number(row.height), hash: row.hash };
}

const findUnexplained = statement<{ readonly txid: string }>(
  "spend-block.find-unexplained",
  `select txid from unexplained_spend
   where chain = $1 and txid = any($2::text[]) and block_height is not null limit 1`,
);

/** Whether one of the transactions was in a block before it was known to be ours (`recovery/detect-unexplained.ts`). */
export async function wasSeenInBlock(
  tx: Executor,
  chain: string,
  txids: readonly string[],
): Promise<boolean> {
  return (await tx.query(findUnexplained, [chain, txids])).length > 0;
}

const findDecided = statement<{
  readonly txid: string;
  readonly height: string;
  readonly hash: string;
}>(
  "spend-block.find-decided-spender",
  `select txid, block_height as height, block_hash as hash from unexplained_spend
   where chain = $1 and claims && $2::text[] and block_height is not null and decided_at is not null limit 1`,
);

/**
 * A transaction in a block that uses one of the claims, is not on record as ours, and about which a person has decided; its block belongs to the
 * best chain that we have read. Null without one, and until the decision.
 */
export async function findDecidedSpender(
  tx: Executor,
  chain: string,
  claims: readonly string[],
): Promise<{
  readonly by: string;
  readonly block: { readonly height: number; readonly hash: string };
} | null> {
  const [row] = await tx.query(findDecided, [chain, claims]);
  if (row === undefined) return null;
  return { by: row.txid, block: { height: Number(row.height), hash: row.hash } };
}

const findUndecided = statement<{ readonly txid: string }>(
  "spend-block.find-undecided",
  `select txid from unexplained_spend u
   where chain = $1 and txid = $2 and decided_at is null
     and not exists (select from spend_attempt a where a.chain = u.chain and a.txid = u.txid)`,
);

/** Whether the transaction is one of our accounts that is not on record as ours, and a person still has to decide about it. */
export async function isUndecided(tx: Executor, chain: string, txid: string): Promise<boolean> {
  return (await tx.query(findUndecided, [chain, txid])).length > 0;
}

const findBest = statement<{ readonly hash: string | null; readonly lowest: string | null }>(
  "spend-block.find-best",
  `select
     (select hash from chain_block where chain = $1 and height = $2 and orphaned_at is null) as hash,
     (select min(height) from chain_block where chain = $1 and orphaned_at is null) as lowest`,
);

/**
 * Whether the block belongs to the best chain that we have read: it is the stored one at its height, or so deep that none is
 * stored there any more.
 */
export async function isBestBlock(
  tx: Executor,
  chain: string,
  block: { readonly height: number; readonly hash: string },
  tipHeight: number,
): Promise<boolean> {
  if (block.height > tipHeight) return false;
  const [row] = await tx.query(findBest, [chain, block.height]);
  if (row === undefined || row.lowest === null) return false;
  return row.hash === null ? Number(row.lowest) > block.height : row.hash === block.hash;
}
