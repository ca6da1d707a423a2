import type pg from "pg";

/** Prefix of the names under which the steps that distribute a database are recorded beside the migrations. */
export const distributedPrefix = "distributed/";

/** Whether `sluice migrate --distributed` ever ran on this database. */
export async function wasDistributed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from schema_migration where name like '${distributedPrefix}%' limit 1`,
  );
  return rows.length > 0;
}

/** Rejects unless the database is one of a coordinator of Citus that has nodes for shards. */
export async function assertWorkerNodes(client: pg.Client): Promise<void> {
  const { rows: extensions } = await client.query(
    "select from pg_extension where extname = 'citus'",
  );
  if (extensions.length === 0)
    throw new Error("the database cannot be distributed: it lacks the extension citus");
  const { rows } = await client.query<{ nodes: string; is_coordinator: boolean }>(
    `select (select count(*) from pg_dist_node where shouldhaveshards and isactive) as nodes,
       (select groupid = 0 from pg_dist_local_group) as is_coordinator`,
  );
  if (rows[0]?.is_coordinator !== true)
    throw new Error("a distributed database is migrated through its coordinator");
  if (rows[0].nodes === "0")
    throw new Error("the database cannot be distributed: its coordinator has no nodes for shards");
}
