import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { Clock } from "../kernel/clock.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

const migrationsFolder = join(import.meta.dirname, "../../../db/migrations");

/** A migration file, `0001_accounts.sql`, with its optional `0001_accounts.check.sql`. */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly check: string | null;
};

/**
 * Migrates a database to the newest schema, forward only; returns the names of the migrations applied. Each one is a transaction.
 * Concurrent runs take turns by locking the version table. Rejects if an applied migration was edited.
 * With `runChecks` (in tests) each new migration's `.check.sql` runs after it.
 */
export async function migrate(
  url: string,
  clock: Clock,
  options: { readonly runChecks?: boolean } = {},
): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, options: "-c timezone=UTC" });
  await client.connect();
  try {
    await createVersionTable(client);
    const applied: string[] = [];
    for (const migration of await readMigrations()) {
      if (await applyOne(client, migration, clock, options.runChecks ?? false)) {
        applied.push(migration.name);
      }
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** Two processes that create the table at the same time conflict in PostgreSQL's catalog; the loser tries again. */
async function createVersionTable(client: pg.Client): Promise<void> {
  const create = `create table if not exists schema_migration (
    name text primary key, digest text not null, applied_at timestamptz not null)`;
  await client.query(create).catch(() => client.query(create));
}

/** All migrations of this program, oldest first. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith(".sql")).sort();
  const checks = new Set(files.filter((file) => file.endsWith(".check.sql")));
  return Promise.all(
    files
      .filter((file) => !checks.has(file))
      .map(async (file) => {
        const name = file.slice(0, -".sql".length);
        const check = `${name}.check.sql`;
        return {
          name,
          sql: await readFile(join(migrationsFolder, file), "utf8"),
          check: checks.has(check) ? await readFile(join(migrationsFolder, check), "utf8") : null,
        };
      }),
  );
}

async function applyOne(
  client: pg.Client,
  migration: Migration,
  clock: Clock,
  runCheck: boolean,
): Promise<boolean> {
  const digest = migrationDigest(migration);
  await client.query("begin");
  try {
    await client.query("lock table schema_migration in exclusive mode");
    const known = await client.query<{ digest: string }>(
      "select digest from schema_migration where name = $1",
      [migration.name],
    );
    const recorded = known.rows[0]?.digest;
    if (recorded !== undefined && recorded !== digest) {
      throw new Error(`migration ${migration.name} was changed after it was applied`);
    }
    if (recorded === undefined) {
      await client.query(migration.sql);
      await client.query(
        "insert into schema_migration (name, digest, applied_at) values ($1, $2, $3)",
        [migration.name, digest, formatTimestamp(clock.now())],
      );
      if (runCheck && migration.check !== null) await client.query(migration.check);
    }
    await client.query("commit");
    return recorded === undefined;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** SHA-256 of a migration's SQL in hex, to detect changes after it was applied. */
export function migrationDigest({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}
