import { type Executor, statement } from "./database.ts";

const read = statement<{ found: boolean }>(
  "distributed.read",
  "select exists (select from schema_migration where name like 'distributed/%') as found",
);

/** Whether `sluice migrate --distributed` has distributed the tables of this database over nodes. That never changes while processes run. */
export async function readIsDistributed(db: Executor): Promise<boolean> {
  const [row] = await db.query(read, []);
  return row?.found === true;
}
