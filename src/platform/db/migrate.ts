import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { Clock } from "../kernel/clock.ts";
import {
  applyConcurrently,
  applyInTransaction,
  type Migration,
  type MigrationRun,
} from "./apply-migration.ts";
import { assertWorkerNodes, distributedPrefix, wasDistributed } from "./distribute.ts";
import { encodingFault } from "./encoding-fault.ts";
import { findPrimary } from "./find-primary.ts";

const migrationsFolder = join(import.meta.dirname, "../../../db/migrations");
const distributedFolder = join(import.meta.dirname, "../../../db/distributed");

export type MigrateOptions = {
  /** In tests: runs each new migration's `.check.sql` after it. */
  readonly runChecks?: boolean;
  /** Default: those of this program. */
  readonly migrations?: readonly Migration[];
  /** Distributes the database over the nodes of Citus afterwards. A database that was distributed stays so without it. */
  readonly isDistributed?: boolean;
  /** Longest wait for one lock: while a migration waits, requests queue behind it. */
  readonly lockTimeoutMs?: number;
  /** How long one migration is tried again after it did not get its locks. */
  readonly patienceSeconds?: number;
  /** Called each time a migration did not get its locks and is about to be tried again. */
  readonly onWait?: (name: string, reason: string) => void;
};

/**
 * Migrates a database to the newest schema, forward only; returns the names of the migrations applied. Each one is a transaction,
 * except those that begin with `-- concurrently` (see `applyConcurrently`). Concurrent runs take turns by locking the version table.
 * A migration never waits long for a lock: it gives up, lets the queue behind it pass, and is tried again. Rejects if the database's
 * encoding is not UTF8, if an applied migration was edited, and if a migration did not get its locks in time; what was applied
 * before stays applied.
 */
export async function migrate(
  url: string,
  clock: Clock,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const { lockTimeoutMs = 300, patienceSeconds = 600 } = options;
  const client = await openSession(url);
  try {
    await assertEncoding(client);
    await createVersionTable(client);
    const run: MigrationRun = {
      client,
      openSession: () => openSession(url),
      clock,
      lockTimeoutMs,
      patienceSeconds,
      runChecks: options.runChecks ?? false,
      onWait: options.onWait ?? (() => undefined),
    };
    const applied: string[] = [];
    const migrations = options.migrations ?? (await readMigrations());
    const isDistributed = options.isDistributed === true || (await wasDistributed(client));
    const steps = isDistributed ? await readDistributedSteps() : [];
    if (isDistributed) await assertWorkerNodes(client);
    for (const migration of [...migrations, ...steps]) {
      const digest = migrationDigest(migration);
      const apply = isConcurrent(migration) ? applyConcurrently : applyInTransaction;
      if (await apply(run, migration, digest)) applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** Building an index or validating a constraint may take hours, whatever timeouts the server sets for ordinary sessions. */
async function openSession(url: string): Promise<pg.Client> {
  const connectionString = await findPrimary(url);
  const client = new pg.Client({ connectionString, options: "-c timezone=UTC" });
  await client.connect();
  await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
  return client;
}

async function assertEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    "select current_database() as name, current_setting('server_encoding') as encoding",
  );
  for (const { name, encoding } of rows) {
    const fault = encodingFault(encoding);
    if (fault !== null) throw new Error(`the database ${name} cannot be migrated: ${fault}`);
  }
}

/** Two processes that create the table at the same time conflict in PostgreSQL's catalog; the loser tries again. */
async function createVersionTable(client: pg.Client): Promise<void> {
  const create = `create table if not exists schema_migration (
    name text primary key, digest text not null, applied_at timestamptz not null)`;
  await client.query(create).catch(() => client.query(create));
}

/** Whether a migration runs statement by statement, outside a transaction. */
function isConcurrent({ sql }: Migration): boolean {
  return /^-- concurrently\b/.test(sql);
}

/** All migrations of this program, oldest first. */
export function readMigrations(): Promise<readonly Migration[]> {
  return readFolder(migrationsFolder, "");
}

/** What distributes a migrated database, oldest first. */
export function readDistributedSteps(): Promise<readonly Migration[]> {
  return readFolder(distributedFolder, distributedPrefix);
}

async function readFolder(folder: string, prefix: string): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const checks = new Set(files.filter((file) => file.endsWith(".check.sql")));
  return Promise.all(
    files
      .filter((file) => !checks.has(file))
      .map(async (file) => {
        const name = file.slice(0, -".sql".length);
        const check = `${name}.check.sql`;
        return {
          name: `${prefix}${name}`,
          sql: await readFile(join(folder, file), "utf8"),
          check: checks.has(check) ? await readFile(join(folder, check), "utf8") : null,
        };
      }),
  );
}

/** SHA-256 of a migration's SQL in hex, to detect changes after it was applied. */
export function migrationDigest({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}
