import pg from "pg";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

/** What every job of the service needs at some point. */
export const lockedTables = [
  "deposit",
  "transfer",
  "payout",
  "spend",
  "wallet_balance",
  "event",
  "callback",
  "chain_cursor",
  "job_lease",
] as const;

/**
 * Locks a table for a while, as a person with a database shell may: nobody else reads or writes it. Resolves when it is free again: at
 * once if the database is down, early if it goes down.
 */
export async function lockTable(
  url: string,
  table: (typeof lockedTables)[number],
  ms: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // The server may be killed while it holds the lock.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(`begin; set local lock_timeout = '5s'; lock table ${table}`);
    await systemClock.sleep(ms);
  } catch {
    return;
  } finally {
    await client.end().catch(() => undefined);
  }
}
