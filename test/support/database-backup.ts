import type { TestDatabase } from "./database.ts";

/** What payouts, spends, treasury and ledger keep; of other tables nothing changes while payouts are simulated. */
const tables = [
  ...[
    "chain_cursor",
    "chain_block",
    "payout",
    "transfer",
    "posting",
    "wallet_balance",
    "payout_stop",
  ],
  ...["spend", "spend_attempt", "spend_claim", "treasury_address", "treasury_arrival", "coin"],
  ...["event", "callback"],
] as const;

export type Backup = {
  readonly rows: ReadonlyMap<string, string>;
  /** The last id that a spend had. */
  readonly spendIds: string;
};

/** The rows of a moment. */
export async function takeBackup({ sql }: TestDatabase): Promise<Backup> {
  const rows = new Map<string, string>();
  for (const table of tables) {
    const [row] = await sql<{ rows: string }>(
      `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} t`,
    );
    rows.set(table, row?.rows ?? "[]");
  }
  const [last] = await sql<{ id: string }>("select last_value as id from spend_id_seq");
  return { rows, spendIds: last?.id ?? "1" };
}

/**
 * Makes the database what it was then. Ids of payouts go on after the ones that were given out since, as the runbook says;
 * those of spends are given out again. No worker has looked at it yet.
 */
export async function restoreBackup({ sql }: TestDatabase, backup: Backup): Promise<void> {
  await clear(sql, tables);
  for (const [table, rows] of backup.rows) {
    const columns = await storedColumns(sql, table);
    await sql(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [rows],
    );
  }
  await sql("select setval('spend_id_seq', $1::bigint)", [backup.spendIds]);
  await sql("update database_mark set admitted_since = null");
}

/**
 * Leaves nothing of what was simulated before, and ids that begin at 1: the same history has the same ids. A killed process
 * loses no commit, so nothing here waits for the disk.
 */
export async function emptyDatabase({ sql }: TestDatabase): Promise<void> {
  await sql(
    "do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$",
  );
  await clear(sql, ["account", "wallet", "audit_head", "audit_entry", ...tables]);
  for (const table of [
    "payout",
    "transfer",
    "posting",
    "spend",
    "event",
    "callback",
    "wallet",
    "account",
  ]) {
    await sql(`alter table ${table} alter column id restart with 1`);
  }
}

/** All but those that the database generates from others. */
async function storedColumns(sql: TestDatabase["sql"], table: string): Promise<string> {
  const [found] = await sql<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return found?.columns ?? "";
}

/** Deleting costs few rows less than truncating, which makes files anew. */
async function clear(sql: TestDatabase["sql"], cleared: readonly string[]): Promise<void> {
  // The first of them are referred to by those after them.
  const deletions = cleared.toReversed().map((table) => `delete from ${table};`);
  await sql(`do $$ begin ${deletions.join(" ")} end $$`);
}
