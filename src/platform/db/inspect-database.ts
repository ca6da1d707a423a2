import pg from "pg";
import { findPrimary } from "./find-primary.ts";
import { migrationDigest, readMigrations } from "./migrate.ts";
import { refusePooler } from "./refuse-pooler.ts";

/** The state of a database, read without changing anything. */
export type DatabaseState = {
  /** PostgreSQL's version: `18.4`. */
  readonly version: string;
  /** The encoding of what it stores: `UTF8`. */
  readonly encoding: string;
  /** A standby, which is read-only. */
  readonly isStandby: boolean;
  /** Names of migrations not applied yet. */
  readonly pending: readonly string[];
  /** Names of migrations that were applied with different SQL. */
  readonly altered: readonly string[];
};

/**
 * Reads the state. Rejects with the error of PostgreSQL or the network, and if the URL leads to a connection pooler that the
 * service cannot use.
 */
export async function inspectDatabase(url: string): Promise<DatabaseState> {
  const connectionString = await findPrimary(url);
  await refusePooler(connectionString);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  // If the connection breaks between two queries, the next one fails.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows: facts } = await client.query<{
      version: string;
      encoding: string;
      is_standby: boolean;
      is_versioned: boolean;
    }>(
      `select current_setting('server_version') as version,
         current_setting('server_encoding') as encoding, pg_is_in_recovery() as is_standby,
         to_regclass('schema_migration') is not null as is_versioned`,
    );
    const [fact] = facts;
    const applied =
      fact?.is_versioned === true ? await readApplied(client) : new Map<string, string>();
    const migrations = await readMigrations();
    return {
      version: fact?.version ?? "unknown",
      encoding: fact?.encoding ?? "unknown",
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
