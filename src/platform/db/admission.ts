import { Unavailable } from "../kernel/unavailable.ts";
import { type Executor, statement } from "./database.ts";

/**
 * SQL condition: a worker has compared this database with the signer's mark since the server started. Until then the database may be
 * an old copy, so nothing that must be unique is issued: no addresses and no numbers. A restore, clone or
 * failover always changes the server's start time, the database or the table. Costs some microseconds: one row and
 * one entry of the system cache.
 */
export const isAdmitted = `exists (
  select from database_mark mark
  where mark.admitted_since = pg_postmaster_start_time() and mark.admitted_table = mark.tableoid
    and mark.admitted_database = (select oid from pg_database where datname = current_database()))`;

/** SQL assignments that make `isAdmitted` true. */
export const admission = `admitted_since = pg_postmaster_start_time(), admitted_table = tableoid,
  admitted_database = (select oid from pg_database where datname = current_database())`;

const readStatement = statement<{ admitted: boolean }>(
  "admission.read",
  `select ${isAdmitted} as admitted`,
);

/** Whether addresses and numbers are issued; otherwise deposits and payouts answer 503. */
export async function readAdmission(db: Executor): Promise<boolean> {
  const [row] = await db.query(readStatement, []);
  return row?.admitted === true;
}

/** Rejects with `Unavailable` while no addresses and numbers are issued. */
export async function assertAdmitted(db: Executor): Promise<void> {
  if (await readAdmission(db)) return;
  throw new Unavailable("database", "no worker has confirmed yet that this is the newest copy");
}
