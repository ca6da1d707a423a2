import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { admission } from "../../src/platform/db/admission.ts";
import { connect } from "../../src/platform/db/connect.ts";
import type { Database, SqlValue } from "../../src/platform/db/database.ts";
import { assembledStatement } from "../../src/platform/db/list-query.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

export type TestDatabase = {
  readonly url: string;
  readonly db: Database;
  /** Runs any SQL, to arrange and assert. */
  readonly sql: <Row>(text: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>;
};

/** Clones the migrated database for this file before its tests, and drops it after them. */
export function useDatabase(): TestDatabase {
  const template = inject("databaseUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const url = template.replace(/\/sluice$/, `/${name}`);
  let open: Database | null = null;
  const db = (): Database => {
    if (open === null) throw new Error("the test database exists only inside tests");
    return open;
  };

  beforeAll(async () => {
    // Without fsync, copying the files takes half of the processor time of writing the clone to the log, and so does dropping it.
    await administerAll(`create database ${name} template sluice strategy file_copy`);
    open = connect({
      url,
      clock: systemClock,
      logger: silentLogger,
      // However many connect at once, and however busy the machine is.
      connectionPatienceMs: 120_000,
      statementTimeoutMs: 120_000,
      longStatementTimeoutMs: 120_000,
      lockTimeoutMs: 120_000,
    });
    // What a worker does when it has verified that the database is the newest one.
    await open.query(assembledStatement("admit", `update database_mark set ${admission}`), []);
  });
  afterAll(async () => {
    await open?.close();
    await administerAll(`drop database if exists ${name} with (force)`);
  });

  return {
    url,
    db: {
      query: (statement, values) => db().query(statement, values),
      transaction: (work) => db().transaction(work),
      close: () => Promise.resolve(),
    },
    sql: (text, values) => db().query(assembledStatement("test", text), values ?? []),
  };
}

/** Runs a command on the server of the test databases, and on the other nodes if it is a coordinator of Citus. */
async function administerAll(command: string): Promise<void> {
  for (const node of inject("databaseNodes")) await administer(node, command);
}

/**
 * Runs a command outside the test databases. `create database ... template` does not wait: a second clone at the same time is
 * retried.
 */
export async function administer(templateUrl: string, command: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client({
      connectionString: templateUrl.replace(/\/sluice$/, "/postgres"),
    });
    await client.connect();
    try {
      await client.query(command);
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await systemClock.sleep(50 * attempt);
    } finally {
      await client.end();
    }
  }
}
