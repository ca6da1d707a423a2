import { connect } from "../../../src/platform/db/connect.ts";
import type { Database, Executor, Statement } from "../../../src/platform/db/database.ts";
import { assembledStatement } from "../../../src/platform/db/list-query.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import type { TestDatabase } from "../../support/database.ts";
import { applicationOf, deadlockTimeoutMs } from "./lock-waits.ts";
import type { Lane, Weaver } from "./weaver.ts";

/** A program's database, whose connections outlive its histories. */
export type ProgramDatabase = {
  readonly db: Database;
  /** From now on it pauses for this weaver; null: for none. */
  readonly pauseFor: (weaver: Weaver | null) => void;
  readonly close: () => Promise<void>;
};

/** Connects each program of these names as the product does; locks are waited for without limit. */
export async function connectPrograms<Name extends string>(
  { url, sql }: TestDatabase,
  programs: readonly Name[],
): Promise<ReadonlyMap<Name, ProgramDatabase>> {
  await sql(
    `do $$ begin
       execute format('alter database %I set deadlock_timeout = ${deadlockTimeoutMs}', current_database());
       execute format('alter database %I set synchronous_commit = off', current_database());
     end $$`,
  );
  return new Map(programs.map((program) => [program, connectProgram(url, program)]));
}

function connectProgram(url: string, program: string): ProgramDatabase {
  const open = connect({
    url,
    clock: systemClock,
    logger: silentLogger,
    applicationName: applicationOf(program),
    statementConnections: 1,
    connectionPatienceMs: 120_000,
    statementTimeoutMs: 120_000,
    longStatementTimeoutMs: 120_000,
    lockTimeoutMs: 120_000,
  });
  let current: Database = open;
  return {
    db: {
      query: (statement, values) => current.query(statement, values),
      transaction: (work) => current.transaction(work),
      close: () => Promise.resolve(),
    },
    pauseFor: (weaver) => {
      current = weaver === null ? open : wovenDatabase(weaver, program, open);
    },
    close: () => open.close(),
  };
}

const readPid = assembledStatement<{ readonly pid: number }>(
  "weave",
  "select pg_backend_pid() as pid",
);

/** Without the hash of an assembled statement's text. */
function nameOf({ name }: Statement<unknown>): string {
  return name.replace(/\.[\w-]{16}$/, "");
}

/** It pauses before every statement, `begin` and `commit` until the weaver lets it continue. */
function wovenDatabase(weaver: Weaver, program: string, db: Database): Database {
  let single: Lane | null = null;
  const pausing = (lane: () => Lane, inner: Executor): Executor => ({
    query: (statement, values) =>
      weaver.pass(lane(), nameOf(statement), () => inner.query(statement, values)),
  });
  return {
    ...pausing(() => (single ??= weaver.openLane(program)), db),
    transaction: async (work) => {
      const lane = weaver.openLane(program);
      let tries = 0;
      try {
        return await db.transaction(async (tx) => {
          tries += 1;
          if (tries > 1) weaver.noteRestart(lane);
          try {
            await weaver.pass(lane, tries === 1 ? "begin" : "begin again", async () => {
              const [row] = await tx.query(readPid);
              lane.pid = row?.pid ?? null;
            });
            const result = await work(pausing(() => lane, tx));
            await weaver.passToEnd(lane, "commit");
            return result;
          } catch (error) {
            weaver.noteUnwinding(lane);
            throw error;
          }
        });
      } finally {
        weaver.closeLane(lane);
      }
    },
    close: () => Promise.resolve(),
  };
}
