import pg from "pg";
import { assert } from "../kernel/assert.ts";
import type { CallerScope } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import { createFailureLog } from "../kernel/failure-log.ts";
import type { Logger } from "../kernel/logger.ts";
import { isDatabaseAway, Unavailable } from "../kernel/unavailable.ts";
import { createWriteBatcher } from "./batch-writes.ts";
import { asUnavailable, endsConnection } from "./classify-error.ts";
import type { Database, Executor, PoolState, SqlValue, Statement } from "./database.ts";
import { readDatabaseHosts } from "./database-hosts.ts";
import { execute } from "./execute.ts";
import { FairSlots } from "./fair-slots.ts";
import { followPrimary } from "./follow-primary.ts";
import { createLongStatements } from "./long-statements.ts";
import { attemptMs } from "./open-in-time.ts";
import { openPipelined } from "./pipelined-connection.ts";
import { readTimestamp, readWholeNumber } from "./read-values.ts";
import { keepAliveMs, sessionOptions } from "./session-options.ts";
import { watchSessions } from "./session-watch.ts";
import { StatementPool } from "./statement-pool.ts";

export type ConnectOptions = {
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Connections for single statements; they are pipelined, so a few serve many callers. */
  readonly statementConnections?: number;
  /** Additional connections for single statements, opened while the others wait for a lock. */
  readonly extraStatementConnections?: number;
  /** Maximum concurrent transactions; further ones wait. */
  readonly transactionConnections?: number;
  /** Maximum concurrent long statements; further ones wait. */
  readonly longConnections?: number;
  /** How many of them one caller may have at a time; default: half of them. */
  readonly longConnectionsPerCaller?: number;
  /** Tells long statements who asked for them. */
  readonly callers?: CallerScope;
  /** Longest time a statement may run in PostgreSQL. */
  readonly statementTimeoutMs?: number;
  /** The same for long statements, which must end before their callers give up. */
  readonly longStatementTimeoutMs?: number;
  /** Longest time a statement waits in PostgreSQL for one lock. */
  readonly lockTimeoutMs?: number;
  /** Longest time a caller waits for a connection. */
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
 * Connects to PostgreSQL with three pools: shared pipelined connections for single statements (measured at 0.96 of pgbench's
 * throughput, unpipelined ones at 0.76), one pipelined connection per transaction or statement that waits for one, and one
 * ordinary connection per long statement, so that lists do not delay other statements. Every session runs in UTC.
 */
export function connect(options: ConnectOptions): Database {
  const patienceMs = options.connectionPatienceMs ?? 10_000;
  const hosts = readDatabaseHosts(options.url);
  // One server keeps its connections until they break; among several, the primary is followed.
  const followed = hosts.urls.length > 1 ? followPrimary(options.url, options) : null;
  const shared: pg.PoolConfig = {
    ...sessionConfig(options, { patienceMs, statementMs: options.statementTimeoutMs ?? 30_000 }),
    connectionString: hosts.urls[0],
  };
  const sessions = watchSessions(followed?.Client ?? pg.Client, shared, options);
  const Driver = sessions.Client;
  const Client = impatient(Driver);
  const statements = new StatementPool({
    open: (onUnusable) => openPipelined(shared, onUnusable, Driver),
    clock: options.clock,
    size: options.statementConnections ?? 2,
    extraMax: options.extraStatementConnections ?? 6,
    patienceMs,
  });
  const pipelined: pg.PoolConfig & { pipeline: boolean } = { ...shared, pipeline: true };
  const transactions = new pg.Pool({
    ...pipelined,
    Client,
    max: options.transactionConnections ?? 8,
  });
  const longMax = options.longConnections ?? 4;
  const long = new pg.Pool({
    ...shared,
    Client,
    ...timeouts(options.longStatementTimeoutMs ?? 10_000),
    max: longMax,
  });
  const slots = new FairSlots({
    clock: options.clock,
    size: longMax,
    perCaller: options.longConnectionsPerCaller ?? Math.max(1, Math.floor(longMax / 2)),
    patienceMs,
  });
  const runLong = createLongStatements({
    slots,
    currentCaller: () => options.callers?.current() ?? null,
    withClient: (work) => withClient(long, work),
    ask: (statement, values) => statements.query(statement, values),
  });
  for (const pool of [transactions, long]) {
    // The pool removes its error listener before the caller can add one: without this listener, a server that ends in
    // between would crash the process. Statements on the broken connection fail.
    pool.on("connect", (client) => {
      client.on("error", () => undefined);
    });
    pool.on("error", (error) => {
      options.logger.debug("idle database connection lost", { error: error.message });
    });
  }

  const noteOutage = watchOutages(options);
  const watch = <Result>(work: Promise<Result>): Promise<Result> =>
    sessions.during(noteOutage(work));
  const query: Database["query"] = (statement, values) => {
    if (statement.mayTakeLong === true) return runLong(statement, values);
    if (statement.mayWait === true) return runAlone(transactions, statement, values);
    return statements.query(statement, values);
  };
  return {
    query: (statement, values) => watch(query(statement, values)),
    transaction: async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await watch(runOnce(transactions, work));
        } catch (error) {
          if (!isRetryable(error) || attempt === maxTries) throw error;
          options.logger.debug("transaction retried", { attempt, code: sqlState(error) });
          await options.clock.sleep(2 ** attempt);
        }
      }
    },
    pools: () => [stateOf("transactions", transactions), stateOf("long", long, slots.waitingCount)],
    close: async () => {
      followed?.close();
      await Promise.all([statements.close(), transactions.end(), long.end()]).finally(
        sessions.close,
      );
    },
  };
}

/** A pool's own limit is for waiting and connecting together; this one limits a single attempt to connect. */
function impatient(Driver: typeof pg.Client): typeof pg.Client {
  return class extends Driver {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionTimeoutMillis: attemptMs });
    }
  };
}

/**
 * Logs when the server is away and when it is back, once for all who notice: they log it as `debug` (`createFailureLog`). Returns a
 * function that passes a result on.
 */
function watchOutages(
  options: Pick<ConnectOptions, "clock" | "logger">,
): <Result>(work: Promise<Result>) => Promise<Result> {
  const log = createFailureLog(options, {
    level: "warn",
    failing: "the database is away",
    over: "the database is back",
    fields: {},
  });
  return (work) =>
    work.then(
      (result) => {
        log.succeeded();
        return result;
      },
      (error: unknown) => {
        if (isDatabaseAway(error) && endsConnection(error.cause)) log.failed(error.message);
        throw error;
      },
    );
}

function stateOf(
  pool: PoolState["pool"],
  { totalCount, idleCount, waitingCount }: pg.Pool,
  waitingBefore = 0,
): PoolState {
  return { pool, open: totalCount, idle: idleCount, waiting: waitingCount + waitingBefore };
}

/**
 * How every connection is opened, wherever it leads. A transaction that waits longer for its next statement than a statement may take
 * is rolled back: its client may have vanished without a word.
 */
export function sessionConfig(
  { lockTimeoutMs, applicationName }: Pick<ConnectOptions, "lockTimeoutMs" | "applicationName">,
  { patienceMs, statementMs }: { readonly patienceMs: number; readonly statementMs: number },
): pg.PoolConfig {
  return {
    types,
    ...timeouts(statementMs),
    lock_timeout: lockTimeoutMs ?? 5_000,
    connectionTimeoutMillis: patienceMs,
    application_name: applicationName ?? "sluice",
    options: sessionOptions(statementMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
}

/** A live server ends a statement itself; the driver's later timeout is for a server that went silent. */
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
      // After a failed statement PostgreSQL rolls back instead of committing, without an error.
      if (command !== "COMMIT")
        throw transaction.failure ?? new Error(`commit answered ${command}`);
      return result;
    } catch (error) {
      transaction.isOver = true;
      if (endsConnection(error)) connection.isBroken = true;
      if (!connection.isBroken) {
        await client.query("rollback").catch(() => {
          connection.isBroken = true;
        });
      }
      throw asUnavailable(isAborted(error) ? (transaction.failure ?? error) : error);
    }
  });
}

/**
 * Whether the statement was refused because an earlier one of its transaction had failed. Of statements that were issued together, its
 * rejection may be noticed first.
 */
function isAborted(error: unknown): boolean {
  return sqlState(error) === "25P02";
}

/**
 * The executor of one transaction. It refuses statements after the transaction's end, which would run in another transaction.
 * Statements issued together are written together as soon as their caller awaits them.
 */
function executorOf(
  client: pg.PoolClient,
  connection: Connection,
  transaction: Transaction,
): Executor {
  const batch = createWriteBatcher(client.connection.stream, (work) => {
    process.nextTick(work);
  });
  return {
    query: async (statement, values) => {
      assert(!transaction.isOver, `${statement.name} was issued after the end of its transaction`);
      batch();
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

/** Runs one statement on a connection of its own. */
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

/** Runs `work` with a connection from the pool; a connection that broke is not returned to it. */
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

/** The SQLSTATE of a PostgreSQL error; null for anything else. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === serializationFailure || state === deadlockDetected;
}
