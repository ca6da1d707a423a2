import type { Database } from "../db/database.ts";
import { addSeconds, type Clock, type Instant } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { monthOf } from "../kernel/month.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";
import {
  createPartition,
  dropPartition,
  type Month,
  type Partition,
  type PartitionedTable,
  readPartitions,
} from "./partition.store.ts";

/** A partitioned table and how long its rows are kept; null: forever. */
export type KeptTable = PartitionedTable & { readonly retentionDays: number | null };

/** Months that have a partition before they begin. */
const monthsAhead = 3;
const daySeconds = 86_400;

/**
 * Makes the partitions of this month and the next ones, and drops those whose newest possible row is older than the retention. Each
 * change is a transaction, and repeating one changes nothing.
 */
export async function keepPartitions(
  { db, clock, logger }: { readonly db: Database; readonly clock: Clock; readonly logger: Logger },
  tables: readonly KeptTable[],
): Promise<void> {
  for (const table of tables) {
    const { create, drop } = decidePartitions(table, await readPartitions(db, table), clock.now());
    for (const month of create)
      if (await createPartition(db, table, month))
        logger.info("partition made", { partition: month.name });
    for (const partition of drop)
      if (await dropPartition(db, table, partition))
        logger.info("partition dropped", { partition: partition.name });
  }
}

/** Which partitions to make and to drop. Months up to the end of the newest partition exist. */
export function decidePartitions(
  { table, retentionDays }: KeptTable,
  partitions: readonly Partition[],
  now: Instant,
): { readonly create: readonly Month[]; readonly drop: readonly Partition[] } {
  const ends = partitions.flatMap(({ until }) => (until === null ? [] : [until]));
  const newest = ends.length === 0 ? monthOf(now, 0) : (Math.max(...ends) as Instant);
  const create = Array.from({ length: monthsAhead + 1 }, (_, ahead): Month => {
    const from = monthOf(now, ahead);
    return { name: `${table}_${nameOf(from)}`, from, until: monthOf(now, ahead + 1) };
  }).filter(({ from }) => from >= newest);
  if (retentionDays === null) return { create, drop: [] };
  const oldest = addSeconds(now, -retentionDays * daySeconds);
  return { create, drop: partitions.filter(({ until }) => until !== null && until <= oldest) };
}

/** As in the name of its partition: `2027_01`. */
function nameOf(month: Instant): string {
  return formatTimestamp(month).slice(0, 7).replace("-", "_");
}
