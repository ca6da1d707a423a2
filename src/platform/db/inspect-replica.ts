import pg from "pg";
import { present } from "../kernel/assert.ts";
import { databaseOrigin } from "./database-origin.ts";
import { findPrimary } from "./find-primary.ts";
import { refusePooler } from "./refuse-pooler.ts";

/** How a server stands to the primary. */
export type ReplicaInspection = {
  readonly version: string;
  readonly isStandby: boolean;
  /** Whether it replays the present primary's log; null if no worker has marked the database yet. */
  readonly isOfPrimary: boolean | null;
  /** How many bytes of the log it had not replayed. */
  readonly lagBytes: number;
};

/** Compares both, without changing anything. Rejects with the error of PostgreSQL or the network. */
export async function inspectReplica(
  primaryUrl: string,
  replicaUrl: string,
): Promise<ReplicaInspection> {
  await refusePooler(replicaUrl);
  const primary = await ask<{ lsn: string; origin: string }>(
    await findPrimary(primaryUrl),
    `select pg_current_wal_flush_lsn()::text as lsn, ${databaseOrigin} as origin from database_mark mark`,
    [],
  );
  const replica = await ask<{
    version: string;
    isStandby: boolean;
    origin: string | null;
    lag: string;
  }>(
    replicaUrl,
    `select current_setting('server_version') as version, pg_is_in_recovery() as "isStandby", mark.origin,
       greatest($1::pg_lsn - coalesce(pg_last_wal_replay_lsn(), $1::pg_lsn), 0)::text as lag
     from database_mark mark`,
    [primary.lsn],
  );
  return {
    version: replica.version,
    isStandby: replica.isStandby,
    isOfPrimary: replica.origin === null ? null : replica.origin === primary.origin,
    lagBytes: Number(replica.lag),
  };
}

async function ask<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
  values: readonly string[],
): Promise<Row> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  // If the connection breaks between two queries, the next one fails.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text, [...values]);
    return present(rows[0], "the mark");
  } finally {
    await client.end();
  }
}
