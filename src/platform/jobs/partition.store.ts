import type { Database, Executor } from "../db/database.ts";
import { assembledStatement } from "../db/list-query.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

/** A table that is partitioned by month. `rest` is its default partition, named after it. */
export type PartitionedTable = { readonly table: string; readonly column: string };

/** A partition of a table; `until` is exclusive, null for the default partition. */
export type Partition = { readonly name: string; readonly until: Instant | null };

/** A month to make a partition for. */
export type Month = { readonly name: string; readonly from: Instant; readonly until: Instant };

/** While it waits for a lock longer than this, requests would queue behind it: it gives up, and the next run tries again. */
const lockTimeoutMs = 300;

const run = (tx: Executor, text: string, values: readonly string[] = []) =>
  tx.query(assembledStatement<Record<string, unknown>>("partition", text), values);

// Sessions run in UTC, so the bound is printed in it.
const partitionsText = `select c.relname as name,
    (substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']*)''\\)'))::timestamptz as until
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass($1) order by c.relname`;

/** All partitions of a table. */
export async function readPartitions(
  db: Executor,
  { table }: PartitionedTable,
): Promise<readonly Partition[]> {
  return db.query(assembledStatement<Partition>("partition.read", partitionsText), [table]);
}

/**
 * Makes a month's partition; rows that were written before it existed move there from the default partition. False if it exists.
 */
export function createPartition(
  db: Database,
  partitioned: PartitionedTable,
  { name, from, until }: Month,
): Promise<boolean> {
  const { table, column } = partitioned;
  const [first, last] = [formatTimestamp(from), formatTimestamp(until)];
  return db.transaction(async (tx) => {
    await begin(tx, partitioned);
    if ((await readPartitions(tx, partitioned)).some((known) => known.name === name)) return false;
    await run(tx, `create table ${name} (like ${table} including all)`);
    await run(
      tx,
      `with moved as (delete from ${table}_rest where ${column} >= $1::timestamptz and ${column} < $2::timestamptz returning *)
       insert into ${name} select * from moved`,
      [first, last],
    );
    await run(
      tx,
      `alter table ${table} attach partition ${name} for values from ('${first}') to ('${last}')`,
    );
    return true;
  });
}

/** Drops a partition with its rows. False if another worker did. */
export function dropPartition(
  db: Database,
  partitioned: PartitionedTable,
  { name }: Partition,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await begin(tx, partitioned);
    if (!(await readPartitions(tx, partitioned)).some((known) => known.name === name)) return false;
    await run(tx, `alter table ${partitioned.table} detach partition ${name}`);
    await run(tx, `drop table ${name}`);
    return true;
  });
}

/** Lets one worker at a time change the partitions; reading and writing of rows go on. */
async function begin(tx: Executor, { table }: PartitionedTable): Promise<void> {
  await run(tx, `set local lock_timeout = ${lockTimeoutMs}`);
  await run(tx, `lock table ${table} in share update exclusive mode`);
}
