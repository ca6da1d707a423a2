import pg from "pg";
import { errorMessage } from "../kernel/error-message.ts";
import { sessionOptions } from "./session-options.ts";

const guide = "see docs/operations.md, PostgreSQL";

/** What `connect` sends when it opens a session. */
const parameters = {
  statement_timeout: 30_000,
  lock_timeout: 5_000,
  options: sessionOptions(30_000),
} as const;

/** More of them would find nothing else: a pooler gives a free connection to the next transaction. */
const tries = 3;

/**
 * Throws if the URL leads to a pooler that shares server connections between clients (transaction or statement pooling), which
 * breaks prepared statements, or to one that drops the session's parameters. A session pooler that keeps them passes.
 */
export async function refusePooler(url: string): Promise<void> {
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      ...parameters,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      const refused = /unsupported startup parameter(?: in options)?: (\w+)/.exec(
        errorMessage(error),
      );
      if (refused === null) throw error;
      throw new Error(
        `the URL leads to a connection pooler that refuses the parameter ${refused[1]}: connect to PostgreSQL itself, or to a pooler in session mode that ignores it, ${guide}`,
        { cause: error },
      );
    }
  };
  const first = await open();
  try {
    for (let count = 0; count < tries; count += 1) {
      const idle = await backendOf(first);
      const second = await open();
      try {
        await second.query("begin");
        if ((await backendOf(second)) === idle)
          throw new Error(
            `the URL leads to a connection pooler in transaction mode, in which prepared statements fail: use session mode, or connect to PostgreSQL itself, ${guide}`,
          );
        await second.query("rollback");
      } finally {
        await second.end();
      }
    }
    await assertParameters(first);
  } finally {
    await first.end();
  }
}

/** The server's process behind the connection; its start tells processes of several servers apart. */
async function backendOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ backend: string }>(
    "select pid || ' ' || backend_start as backend from pg_stat_activity where pid = pg_backend_pid()",
  );
  return rows[0]?.backend ?? "";
}

/** A pooler may ignore them; then the server has to set them for the role. */
async function assertParameters(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    timezone: string;
    statement: string;
    lock: string;
    idle: string;
  }>(
    `select current_setting('timezone') as timezone, current_setting('statement_timeout') as statement,
       current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  const [{ timezone, statement, lock, idle }] = rows as [(typeof rows)[number]];
  const missing = [
    ...(timezone === "UTC" ? [] : ["timezone = 'UTC'"]),
    ...(statement === "0" ? ["statement_timeout = '30s'"] : []),
    ...(lock === "0" ? ["lock_timeout = '5s'"] : []),
    ...(idle === "0" ? ["idle_in_transaction_session_timeout = '30s'"] : []),
  ];
  if (missing.length === 0) return;
  throw new Error(
    `a connection pooler ignores the session's parameters: set them for the role in PostgreSQL (\`alter role ... set ${missing.join("`, `alter role ... set ")}\`), ${guide}`,
  );
}
