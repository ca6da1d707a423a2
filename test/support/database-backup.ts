import type { TestDatabase } from "./database.ts";

/** The tables of payouts, spends, treasury and ledger; no other table changes while payouts are simulated. */
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
  ...[
    "spend",
    "spend_attempt",
    "spend_claim",
    "treasury_address",
    "treasury_arrival",
    "account_charge",
    "coin",
  ],
  ...["event", "callback"],
] as const;

export type Backup = {
  readonly rows: ReadonlyMap<string, string>;
  /** The last spend id. */
  readonly spendIds: string;
};

/** The rows at one moment. */
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
 * Restores the database to that moment. Payout ids continue after those issued since, as the runbook says; spend ids are issued
 * again. No worker has checked the database yet.
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
 * Removes what was simulated before and restarts ids at 1, so the same history has the same ids. A killed process loses no
 * commit, so nothing here waits for the disk.
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
    await sql("select setval(pg_get_serial_sequence($1, 'id'), 1, false)", [table]);
  }
}

/** All columns but generated ones. */
async function storedColumns(sql: TestDatabase["sql"], table: string): Promise<string> {
  const [found] = await sql<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return found?.columns ?? "";
}

/** Deleting a few rows costs less than truncating, which recreates files. */
async function clear(sql: TestDatabase["sql"], cleared: readonly string[]): Promise<void> {
  // Later tables refer to earlier ones.
  const deletions = cleared.toReversed().map((table) => `delete from ${table};`);
  await sql(`do $$ begin ${deletions.join(" ")} end $$`);
}
