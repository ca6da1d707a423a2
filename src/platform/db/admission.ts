import { Unavailable } from "../kernel/unavailable.ts";
import { type Executor, statement } from "./database.ts";

/**
 * SQL: whether a worker has held this database, in the present run of its server, against the signer's mark. Until then it may be
 * older than what was given out, and nothing that must not be given out twice is: neither addresses nor numbers. A restore,
 * a clone and a failover each end with another start of the server, another database or another table. Reads one row and
 * one entry of the system's cache: some microseconds.
 */
export const isAdmitted = `exists (
  select from database_mark mark
  where mark.admitted_since = pg_postmaster_start_time() and mark.admitted_table = mark.tableoid
    and mark.admitted_database = (select oid from pg_database where datname = current_database()))`;

/** SQL: makes that so. */
export const admission = `admitted_since = pg_postmaster_start_time(), admitted_table = tableoid,
  admitted_database = (select oid from pg_database where datname = current_database())`;

const readStatement = statement<{ admitted: boolean }>(
  "admission.read",
  `select ${isAdmitted} as admitted`,
);

/** Whether addresses and numbers are given out: while they are not, deposits and payouts answer 503. */
export async function readAdmission(db: Executor): Promise<boolean> {
  const [row] = await db.query(readStatement, []);
  return row?.admitted === true;
}

/** Rejects with `Unavailable` while nothing is given out. */
export async function assertAdmitted(db: Executor): Promise<void> {
  if (await readAdmission(db)) return;
  throw new Unavailable("database", "no worker has found yet that it is the newest one");
}
