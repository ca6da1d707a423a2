import pg from "pg";
import type { CallerScope } from "../kernel/caller.ts";
import { type Clock, type Instant, secondsBetween } from "../kernel/clock.ts";
import { createFailureLog } from "../kernel/failure-log.ts";
import type { Logger } from "../kernel/logger.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { withTimeLimit } from "../kernel/with-time-limit.ts";
import { sessionConfig } from "./connect.ts";
import { type Database, type SqlValue, type Statement, statement } from "./database.ts";
import { databaseOrigin } from "./database-origin.ts";
import { execute } from "./execute.ts";
import { FairSlots } from "./fair-slots.ts";
import type { PrimaryReason } from "./replica-state.ts";

export type ReplicaOptions = {
  /** Of a standby, or of a balancer in front of several. */
  readonly url: string;
  /** How long a read waits for the standby to have everything; beyond it the primary answers. */
  readonly lagMaxMs: number;
  readonly connections: number;
  /** How many of them one caller may have at a time. */
  readonly connectionsPerCaller: number;
  readonly callers: CallerScope;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly applicationName: string;
};

/** What a replica must have: the log up to a place, of a line of history. */
type Position = { readonly lsn: string; readonly origin: string };
type Seen = { readonly hasAll: boolean | null; readonly replayedAt: Instant | null };

const lookEveryMs = 1_000;
const pollMs = 10;
const connectPatienceMs = 1_000;
/** How long the replica may leave the question unanswered up to where it has replayed. One whose network is gone says nothing at all. */
const answerPatienceMs = 1_000;
const longMs = 10_000;

const positionStatement = statement<Position>(
  "replica.position",
  `select pg_current_wal_flush_lsn()::text as lsn, ${databaseOrigin} as origin from database_mark mark`,
);

/**
 * Null for a server that is no standby, or one whose mark was written on another line of history: the first commit after a promotion
 * writes it, so a standby that has it follows the present primary.
 */
const seenStatement = statement<Seen>(
  "replica.seen",
  `select case when pg_is_in_recovery() and mark.origin = $2 then pg_last_wal_replay_lsn() >= $1::pg_lsn end as "hasAll",
     pg_last_xact_replay_timestamp() as "replayedAt"
   from database_mark mark`,
);

/**
 * The same database, except that the statements of callers whose reads may lag (`Caller.mayLag`) run on a replica. Each first asks the
 * primary up to where its log is flushed, and runs only on a replica that has replayed it, so that everyone reads what was acknowledged
 * to anyone before, through whichever process. A replica that is behind for longer than `lagMaxMs`, does not answer, or follows another
 * primary is left alone until it is well again; until then the primary answers, as it does whatever a replica refuses.
 */
export function readFromReplica(primary: Database, options: ReplicaOptions): Database {
  const { url, lagMaxMs, connections, connectionsPerCaller, callers, clock, logger } = options;
  const pool = new pg.Pool({
    ...sessionConfig(options, { patienceMs: connectPatienceMs, statementMs: longMs }),
    connectionString: url,
    max: connections,
  });
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
  });
  pool.on("error", (error) => {
    logger.debug("idle database connection lost", { error: error.message });
  });
  const slots = new FairSlots({
    clock,
    size: connections,
    perCaller: connectionsPerCaller,
    patienceMs: longMs,
  });
  const log = createFailureLog(options, {
    level: "warn",
    failing: "reads go to the primary",
    over: "reads go to the replica",
    fields: {},
  });
  const closing = new AbortController();
  const counts = { replica: 0, primary: { behind: 0, unreachable: 0, refused: 0 } };
  let away: PrimaryReason | null = "unreachable";
  let lagSeconds: number | null = null;

  const position = async (): Promise<Position | null> =>
    (await primary.query(positionStatement, []))[0] ?? null;

  const untilThere = async (client: pg.PoolClient, wanted: Position): Promise<boolean> => {
    const giveUpMs = performance.now() + lagMaxMs;
    for (;;) {
      const [seen] = await inTime(
        execute(client, seenStatement, [wanted.lsn, wanted.origin], () => undefined),
      );
      if (seen?.hasAll === true) {
        lagSeconds = 0;
        return true;
      }
      lagSeconds =
        seen === undefined || seen.hasAll === null || seen.replayedAt === null
          ? null
          : Math.max(0, secondsBetween(seen.replayedAt, clock.now()));
      if (seen === undefined || seen.hasAll === null) throw new Error("it follows another primary");
      if (performance.now() >= giveUpMs) return false;
      await clock.sleep(pollMs, closing.signal);
    }
  };

  const inTime = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    withTimeLimit(clock, answerPatienceMs, (expired) => {
      const silence = new Promise<never>((_, reject) => {
        expired.addEventListener("abort", () => {
          reject(expired.reason as Error);
        });
      });
      return Promise.race([answer, silence]);
    });

  const leave = (reason: PrimaryReason, error: Error): void => {
    away = reason;
    log.failed(error);
  };

  /** Runs `work` on a replica that has everything; null if none has. */
  const onReplica = async <Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<{ readonly result: Result } | null> => {
    const wanted = await position();
    if (wanted === null) return null;
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      lagSeconds = null;
      leave("unreachable", error as Error);
      return null;
    }
    let isBroken = true;
    try {
      try {
        if (!(await untilThere(client, wanted))) {
          isBroken = false;
          leave("behind", new Error("the replica is behind"));
          return null;
        }
      } catch (error) {
        leave("unreachable", error as Error);
        return null;
      }
      const result = await work(client);
      isBroken = false;
      return { result };
    } finally {
      client.release(isBroken);
    }
  };

  const look = async (): Promise<void> => {
    if ((await onReplica(() => Promise.resolve(true))) === null) return;
    away = null;
    log.succeeded();
  };
  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await look().catch(() => undefined);
      await clock.sleep(lookEveryMs, closing.signal);
    }
  };
  const watching = watch();

  const read = async <Row>(
    wanted: Statement<Row>,
    values: readonly SqlValue[] | undefined,
  ): Promise<readonly Row[]> => {
    if (away === null) {
      const give = await slots.take(callers.current());
      try {
        const answer = await onReplica((client) =>
          execute(client, wanted, values, () => undefined),
        );
        if (answer !== null) {
          counts.replica += 1;
          return answer.result;
        }
      } catch (error) {
        if (!isRefusal(error)) throw error;
        counts.primary.refused += 1;
        return await primary.query(wanted, values);
      } finally {
        give();
      }
    }
    counts.primary[away ?? "behind"] += 1;
    return primary.query(wanted, values);
  };

  return {
    ...primary,
    query: (wanted, values) =>
      callers.current()?.mayLag === true && wanted.mayWait !== true
        ? read(wanted, values)
        : primary.query(wanted, values),
    replica: () => ({ answers: structuredClone(counts), lagSeconds }),
    close: async () => {
      closing.abort();
      await watching;
      await Promise.all([pool.end(), primary.close()]);
    },
  };
}

const timedOut = "57014";

/**
 * Whether the primary may still answer: the replica writes nothing, cancels what stands in the way of replaying, and may end at any time.
 * What took too long would do so again.
 */
function isRefusal(error: unknown): boolean {
  const cause = error instanceof Unavailable ? error.cause : error;
  return !(cause instanceof pg.DatabaseError && cause.code === timedOut);
}
