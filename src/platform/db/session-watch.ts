import type pg from "pg";
import type { Clock } from "../kernel/clock.ts";
import { errorMessage } from "../kernel/error-message.ts";
import type { Logger } from "../kernel/logger.ts";
import { attemptMs } from "./open-in-time.ts";

const lookEveryMs = 1_000;
/** How many looks in a row find a connection silent until the server is asked about it. */
const silentLooks = 3;

/** Finds connections that the server no longer serves. */
export type SessionWatch = {
  /** Opens connections that are watched. */
  readonly Client: typeof pg.Client;
  /** Passes on what `work` resolves or rejects with; connections are watched while any work is under way. */
  readonly during: <Result>(work: Promise<Result>) => Promise<Result>;
  readonly close: () => void;
};

/** A session's process and its start, which no other session shares. Dates are text in UTC. */
const ownBackend =
  "select pid || ' ' || backend_start as backend from pg_stat_activity where pid = pg_backend_pid()";
const workingBackends = `select pid || ' ' || backend_start as backend from pg_stat_activity
  where pid || ' ' || backend_start = any($1) and coalesce(state, 'unknown') not like 'idle%'`;

const endBackends = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid || ' ' || backend_start = any($1) and state like 'idle%'`;

/** What sockets count, encrypted or not. */
type Traffic = { readonly bytesRead: number; readonly bytesWritten: number };

type Answer = { readonly backend: string };

/**
 * After a network has swallowed packets for a while, a connection can look open on one side and be forgotten on the other; a statement on it
 * would wait for the driver's timeout, which has to be longer than the longest statement. So when a connection owes an answer and has sent
 * nothing for two to three seconds, the server is asked on a new connection whether it works on anything for the silent one: a statement that waits
 * for a lock is left alone. A connection that the server considers idle, or does not know, is ended on both sides, and its statements fail.
 */
export function watchSessions(
  Driver: typeof pg.Client,
  config: pg.ClientConfig,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): SessionWatch {
  const sessions = new Set<WatchedClient>();
  const closing = new AbortController();
  let underWay = 0;
  let isWatching = false;

  class WatchedClient extends Driver {
    /** Null until the server has told it. */
    backend: string | null = null;
    /** Bytes written when the last answer had arrived, and read at the last look. */
    #answered = 0;
    #read = 0;
    #looks = 0;

    constructor(given: pg.ClientConfig = {}) {
      super(given);
      this.once("connect", () => {
        sessions.add(this);
        this.query<Answer>(ownBackend).then(
          ({ rows: [own] }) => {
            this.backend = own?.backend ?? null;
          },
          () => undefined,
        );
      });
      this.on("drain", () => {
        this.#answered = this.#socket.bytesWritten;
      });
      this.once("end", () => sessions.delete(this));
    }

    /** Another one once the connection is encrypted. */
    get #socket(): Traffic {
      return this.connection.stream as unknown as Traffic;
    }

    /** Whether it owes an answer and has sent nothing since the last look. */
    readonly isSilent = (): boolean => {
      const { bytesRead, bytesWritten } = this.#socket;
      return bytesWritten !== this.#answered && bytesRead === this.#read;
    };

    /** Whether it was silent at this look and at those before it. */
    lookSilent(): boolean {
      this.#looks = this.isSilent() ? this.#looks + 1 : 0;
      this.#read = this.#socket.bytesRead;
      return this.#looks >= silentLooks;
    }

    leave(): void {
      sessions.delete(this);
      this.connection.stream.destroy(
        new Error("Connection terminated: the server does not work on it any more"),
      );
    }
  }

  /** Asks the server about silent connections, and has it roll back what the lost ones began. */
  const judge = async (silent: readonly WatchedClient[]): Promise<void> => {
    const client = new Driver({
      ...config,
      connectionTimeoutMillis: attemptMs,
      query_timeout: attemptMs,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<Answer>(workingBackends, [backendsOf(silent)]);
      const working = new Set(rows.map(({ backend }) => backend));
      const lost = silent.filter(
        ({ backend, isSilent }) => !working.has(backend ?? "") && isSilent(),
      );
      if (lost.length === 0) return;
      logger.warn("database connections lost", { connections: lost.length });
      for (const session of lost) session.leave();
      await client.query(endBackends, [backendsOf(lost)]);
    } finally {
      void client.end().catch(() => undefined);
    }
  };
  const look = async (): Promise<void> => {
    const silent = [...sessions].filter((session) => session.lookSilent());
    const known = silent.filter(({ backend }) => backend !== null);
    if (known.length > 0) await judge(known);
  };
  const watch = async (): Promise<void> => {
    isWatching = true;
    while (underWay > 0 && !closing.signal.aborted) {
      await clock.sleep(lookEveryMs, closing.signal);
      await look().catch((error: unknown) => {
        logger.debug("silent database connections", { error: errorMessage(error) });
      });
    }
    isWatching = false;
  };
  return {
    Client: WatchedClient,
    during: async (work) => {
      underWay += 1;
      if (!isWatching) void watch();
      try {
        return await work;
      } finally {
        underWay -= 1;
      }
    },
    close: () => {
      closing.abort();
    },
  };
}

function backendsOf(sessions: readonly { readonly backend: string | null }[]): readonly string[] {
  return sessions.flatMap(({ backend }) => (backend === null ? [] : [backend]));
}
