import pg from "pg";
import { migrationDigest, readMigrations } from "./migrate.ts";

/** What a database is, asked without changing anything. */
export type DatabaseState = {
  /** As PostgreSQL tells it: `18.4`. */
  readonly version: string;
  /** A standby, which takes no writes. */
  readonly isStandby: boolean;
  /** Names of the migrations that are not applied yet. */
  readonly pending: readonly string[];
  /** Names of the migrations that were applied in another form than this program's. */
  readonly altered: readonly string[];
};

/** Connects once and looks. Rejects with PostgreSQL's or the network's error when that fails. */
export async function inspectDatabase(url: string): Promise<DatabaseState> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks between two questions fails the next one.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows: facts } = await client.query<{
      version: string;
      is_standby: boolean;
      is_versioned: boolean;
    }>(
      `select current_setting('server_version') as version, pg_is_in_recovery() as is_standby,
         to_regclass('schema_migration') is not null as is_versioned`,
    );
    const [fact] = facts;
    const applied =
      fact?.is_versioned === true ? await readApplied(client) : new Map<string, string>();
    const migrations = await readMigrations();
    return {
      version: fact?.version ?? "unknown",
      isStandby: fact?.is_standby ?? false,
      pending: migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
      altered: migrations
        .filter((migration) => {
          const digest = applied.get(migration.name);
          return digest !== undefined && digest !== migrationDigest(migration);
        })
        .map(({ name }) => name),
    };
  } finally {
    await client.end();
  }
}

async function readApplied(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; digest: string }>(
    "select name, digest from schema_migration",
  );
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}
