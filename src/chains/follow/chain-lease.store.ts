import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Cursor, Fence } from "./cursor.ts";

/** Each transaction that writes a block locks the cursor until everything derived from the block is written. */
export const whileBlocksAreWritten = { mayWait: true } as const;

const takeLeaseStatement = statement<{ fence: string; height: string; hash: string | null }>(
  "follower.take-lease",
  `update chain_cursor
   set lease_holder = $2, lease_expires_at = $3::timestamptz, fence = fence + 1, updated_at = $4::timestamptz
   where chain = $1 and (lease_expires_at is null or lease_expires_at <= $4::timestamptz)
   returning fence, height, hash`,
  whileBlocksAreWritten,
);

/** Takes the chain's lease if it is free; null while another follower holds it. */
export async function takeLease(
  db: Executor,
  chain: string,
  holder: string,
  expiresAt: Instant,
  now: Instant,
): Promise<{ readonly fence: Fence; readonly cursor: Cursor } | null> {
  const [row] = await db.query(takeLeaseStatement, [
    chain,
    holder,
    formatTimestamp(expiresAt),
    formatTimestamp(now),
  ]);
  if (row === undefined) return null;
  return {
    fence: { chain, fence: row.fence },
    cursor: { height: Number(row.height), hash: row.hash },
  };
}

const renewLeaseStatement = statement<{ chain: string }>(
  "follower.renew-lease",
  `update chain_cursor
   set lease_expires_at = $3::timestamptz, node_height = coalesce($4::bigint, node_height),
     updated_at = $5::timestamptz
   where chain = $1 and fence = $2::bigint and lease_holder is not null
   returning chain`,
  whileBlocksAreWritten,
);

/** Extends the lease and records the node's height, if known. False when another follower has taken over. */
export async function renewLease(
  db: Executor,
  { chain, fence }: Fence,
  expiresAt: Instant,
  nodeHeight: number | null,
  now: Instant,
): Promise<boolean> {
  const rows = await db.query(renewLeaseStatement, [
    chain,
    fence,
    formatTimestamp(expiresAt),
    nodeHeight,
    formatTimestamp(now),
  ]);
  return rows.length === 1;
}

const releaseLeaseStatement = statement<never>(
  "follower.release-lease",
  `update chain_cursor set lease_holder = null, lease_expires_at = null, updated_at = $3::timestamptz
   where chain = $1 and fence = $2::bigint`,
  whileBlocksAreWritten,
);

/** Releases the chain, so that another follower need not wait for the lease to expire. */
export async function releaseLease(
  db: Executor,
  { chain, fence }: Fence,
  now: Instant,
): Promise<void> {
  await db.query(releaseLeaseStatement, [chain, fence, formatTimestamp(now)]);
}
