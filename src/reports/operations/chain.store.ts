import { type Executor, statement } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** The time over which reading speed is measured. */
const speedSeconds = 60;

export type ChainProgress = {
  readonly chain: string;
  readonly height: number | null;
  readonly nodeHeight: number | null;
  readonly blockTime: Instant | null;
  readonly caughtUpAt: Instant | null;
  /** When the follower last wrote. */
  readonly updatedAt: Instant;
  /** Blocks read per second within the last minute. */
  readonly blocksPerSecond: number;
};

type ProgressRow = Omit<ChainProgress, "height" | "nodeHeight" | "blocksPerSecond"> & {
  readonly height: string | null;
  readonly nodeHeight: string | null;
  readonly read: string;
};

// Bounds the walk down from the newest block; no chain is read faster.
const readProgress = statement<ProgressRow>(
  "operated-chain.progress",
  `select c.chain, c.height, c.node_height as "nodeHeight", c.block_time as "blockTime",
     c.caught_up_at as "caughtUpAt", c.updated_at as "updatedAt",
     (select count(*) from chain_block b
      where b.chain = c.chain and b.orphaned_at is null and b.height > c.height - 30000
        and b.scanned_at > $1::timestamptz) as read
   from chain_cursor c order by c.chain`,
);

/** The height of each chain and its reading speed. */
export async function readChainProgress(
  db: Executor,
  now: Instant,
): Promise<readonly ChainProgress[]> {
  const rows = await db.query(readProgress, [formatTimestamp(addSeconds(now, -speedSeconds))]);
  return rows.map(({ height, nodeHeight, read, ...row }) => ({
    ...row,
    height: height === null ? null : Number(height),
    nodeHeight: nodeHeight === null ? null : Number(nodeHeight),
    blocksPerSecond: Number(read) / speedSeconds,
  }));
}

export type ScannedRange = {
  readonly from: number;
  readonly to: number;
  readonly firstScannedAt: Instant;
  readonly lastScannedAt: Instant;
};

const readRanges = statement<{
  readonly from: string;
  readonly to: string;
  readonly firstScannedAt: Instant;
  readonly lastScannedAt: Instant;
}>(
  "operated-chain.ranges",
  `select from_height as "from", to_height as "to", first_scanned_at as "firstScannedAt",
     last_scanned_at as "lastScannedAt"
   from scanned_range where chain = $1 order by from_height desc limit 1000`,
);

/** The ranges of heights that were read, newest first, each without gaps. */
export async function readScannedRanges(
  db: Executor,
  chain: string,
): Promise<readonly ScannedRange[]> {
  const rows = await db.query(readRanges, [chain]);
  return rows.map((row) => ({ ...row, from: Number(row.from), to: Number(row.to) }));
}

const readWaiting = statement<{
  readonly chain: string;
  readonly count: string;
  readonly since: Instant;
}>(
  "operated-chain.waiting-for-opinions",
  `select chain, count(*) as count, min(awaits_opinion_since) as since from transfer
   where due_height is not null and awaits_opinion_since is not null group by chain`,
);

/** By chain: the number of transfers that wait for another node's confirmation, and since when the oldest waits. */
export function readWaitingForOpinions(db: Executor) {
  return db.query(readWaiting);
}

const readOutcomes = statement<{
  readonly chain: string;
  readonly count: string;
  readonly since: Instant;
}>(
  "operated-chain.waiting-outcomes",
  `select s.chain, count(*) as count, min(coalesce(b.scanned_at, s.updated_at)) as since
   from spend s join chain_cursor c on c.chain = s.chain and s.due_height <= c.height
   left join chain_block b on b.chain = s.chain and b.height = s.due_height and b.orphaned_at is null
   group by s.chain`,
);

/**
 * By chain: the number of our own transactions at full depth that wait for nodes to agree on their outcome, and since when the
 * oldest waits.
 */
export function readWaitingOutcomes(db: Executor) {
  return db.query(readOutcomes);
}

/** Why operators should check a node. */
export type NodeDoubt = {
  readonly chain: string;
  readonly node: string;
  readonly kind: string;
  readonly reason: string;
  readonly since: Instant;
};

const readDoubts = statement<NodeDoubt>(
  "operated-chain.doubts",
  "select chain, node, kind, reason, since from node_doubt order by chain, since, node, kind",
);

/** Open doubts about nodes, oldest first. */
export function readNodeDoubts(db: Executor): Promise<readonly NodeDoubt[]> {
  return db.query(readDoubts);
}
