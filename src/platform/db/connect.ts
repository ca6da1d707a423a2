import pg from "pg";
import { assert } from "../kernel/assert.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { createWriteBatcher } from "./batch-writes.ts";
import { asUnavailable, endsConnection } from "./classify-error.ts";
import type { Database, Executor, SqlValue, Statement } from "./database.ts";
import { execute } from "./execute.ts";
import { openPipelined } from "./pipelined-connection.ts";
import { readTimestamp, readWholeNumber } from "./read-values.ts";
import { StatementPool } from "./statement-pool.ts";

export type ConnectOptions = {
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Connections kept for single statements; pipelined, so a few serve many callers. */
  readonly statementConnections?: number;
  /** Further connections for single statements, opened while the others wait for a lock. */
  readonly extraStatementConnections?: number;
  /** Connections for transactions: as many transactions run at once, the next one waits. */
  readonly transactionConnections?: number;
  /** Connections for statements that may take long: so many run at once, the next one waits. */
  readonly longConnections?: number;
  /** Longest a statement may run in PostgreSQL. */
  readonly statementTimeoutMs?: number;
  /** The same for statements that may take long: a caller's list must end before the caller gives up. */
  readonly longStatementTimeoutMs?: number;
  /** Longest a statement waits in PostgreSQL for one lock. */
  readonly lockTimeoutMs?: number;
  /** Longest that whoever asks waits for a connection to be free or made. */
  readonly connectionPatienceMs?: number;
  readonly applicationName?: string;
};

const serializationFailure = "40001";
const deadlockDetected = "40P01";
const maxTries = 8;

const types = new pg.TypeOverrides();
types.setTypeParser(1700, readWholeNumber);
types.setTypeParser(1184, readTimestamp);
types.setTypeParser(1231, (text) => parseNumericArray(text));

/** `{1,NULL,3}` as PostgreSQL prints a `numeric[]`. */
function parseNumericArray(text: string): (bigint | null)[] {
  const inner = text.slice(1, -1);
  return inner === ""
    ? []
    : inner.split(",").map((item) => (item === "NULL" ? null : BigInt(item)));
}

/**
 * Opens PostgreSQL with three pools: pipelined connections for single statements (measured at 0.96 of pgbench where
 * unpipelined ones reach 0.76), pipelined ones for transactions and for what waits for them, which have one each to themselves,
 * and ordinary ones for single statements that may take long, so that no caller's list holds up what others ask. Every session runs in UTC.
 */
export function connect(options: ConnectOptions): Database {
  const patienceMs = options.connectionPatienceMs ?? 10_000;
  const shared: pg.PoolConfig = {
    connectionString: options.url,
    types,
    ...timeouts(options.statementTimeoutMs ?? 30_000),
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    connectionTimeoutMillis: patienceMs,
    application_name: options.applicationName ?? "sluice",
    options: "-c timezone=UTC",
    keepAlive: true,
  };
  const statements = new StatementPool({
    open: (onUnusable) => openPipelined(shared, onUnusable),
    clock: options.clock,
    size: options.statementConnections ?? 2,
    extraMax: options.extraStatementConnections ?? 6,
    patienceMs,
  });
  const pipelined: pg.PoolConfig & { pipeline: boolean } = { ...shared, pipeline: true };
  const transactions = new pg.Pool({ ...pipelined, max: options.transactionConnections ?? 8 });
  const long = new pg.Pool({
    ...shared,
    ...timeouts(options.longStatementTimeoutMs ?? 10_000),
    max: options.longConnections ?? 4,
  });
  for (const pool of [transactions, long]) {
    // The pool stops listening to a connection before whoever asked for it can begin to: a server that goes away in
    // between would end the process. What is asked of the broken connection fails.
    pool.on("connect", (client) => {
      client.on("error", () => undefined);
    });
    pool.on("error", (error) => {
      options.logger.warn("idle database connection lost", { error: error.message });
    });
  }

  return {
    query: (statement, values) => {
      if (statement.mayTakeLong === true) return runAlone(long, statement, values);
      if (statement.mayWait === true) return runAlone(transactions, statement, values);
      return statements.query(statement, values);
    },
    transaction: async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runOnce(transactions, work);
        } catch (error) {
          if (!isRetryable(error) || attempt === maxTries) throw error;
          options.logger.debug("transaction retried", { attempt, code: sqlState(error) });
          await options.clock.sleep(2 ** attempt);
        }
      }
    },
    close: async () => {
      await Promise.all([statements.close(), transactions.end(), long.end()]);
    },
  };
}

/** A server that is alive ends a statement itself; the driver gives up later, on one that fell silent. */
function timeouts(statementMs: number): pg.ClientConfig {
  return { statement_timeout: statementMs, query_timeout: Math.ceil(statementMs * 1.5) };
}

async function runOnce<Result>(
  pool: pg.Pool,
  work: (tx: Executor) => Promise<Result>,
): Promise<Result> {
  return withClient(pool, async (client, connection) => {
    const transaction: Transaction = { isOver: false, failure: null };
    try {
      await client.query("begin");
      const result = await work(executorOf(client, connection, transaction));
      transaction.isOver = true;
      const { command } = await client.query("commit");
      // After a failed statement PostgreSQL rolls back instead, and does not call that an error.
      if (command !== "COMMIT") throw transaction.failure ?? new Error(`a commit did ${command}`);
      return result;
    } catch (error) {
      transaction.isOver = true;
      if (endsConnection(error)) connection.isBroken = true;
      if (!connection.isBroken) {
        await client.query("rollback").catch(() => {
          connection.isBroken = true;
        });
      }
      throw asUnavailable(error);
    }
  });
}

/**
 * What is asked after the end would happen in whichever transaction has the connection then. Statements that are asked together
 * leave together, as soon as whoever asks waits for them.
 */
function executorOf(
  client: pg.PoolClient,
  connection: Connection,
  transaction: Transaction,
): Executor {
  const gather = createWriteBatcher(client.connection.stream, (work) => {
    process.nextTick(work);
  });
  return {
    query: async (statement, values) => {
      assert(!transaction.isOver, `${statement.name} was asked of a transaction after its end`);
      gather();
      try {
        return await execute(client, statement, values, () => {
          connection.isBroken = true;
        });
      } catch (error) {
        if (error instanceof Error) transaction.failure ??= error;
        throw error;
      }
    },
  };
}

/** One statement on a connection of its own. */
function runAlone<Row>(
  pool: pg.Pool,
  statement: Statement<Row>,
  values?: readonly SqlValue[],
): Promise<readonly Row[]> {
  return withClient(pool, (client, connection) =>
    execute(client, statement, values, () => {
      connection.isBroken = true;
    }),
  );
}

type Transaction = { isOver: boolean; failure: Error | null };
type Connection = { isBroken: boolean };

/** Lends a connection; one that broke meanwhile is not lent again. */
async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, connection: Connection) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new Unavailable("database", "no connection", error);
  });
  const connection: Connection = { isBroken: false };
  const onError = (): void => {
    connection.isBroken = true;
  };
  client.on("error", onError);
  try {
    return await work(client, connection);
  } finally {
    client.off("error", onError);
    client.release(connection.isBroken);
  }
}

/** The SQLSTATE of a PostgreSQL error, or null for anything else. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === serializationFailure || state === deadlockDetected;
}
