import type { TestDatabase } from "../../support/database.ts";
import type { Lane } from "./weaver.ts";

/** Whether each of these lanes waits for a lock that a transaction holds which itself waits for its turn. */
export type ReadLockWaits = (underway: readonly Lane[]) => Promise<boolean>;

type Wait = {
  readonly pid: number;
  readonly program: string;
  readonly blockers: readonly number[];
  readonly isChecked: boolean;
};

/** How a program's connections are named in `pg_stat_activity`. */
export function applicationOf(program: string): string {
  return `weave ${program}`;
}

/**
 * A backend looks for a deadlock once, this long after it began to wait. Only then does its wait count: the deadlock is then always noticed by
 * the one whose wait completes it, so that the same schedule has the same victim.
 */
export const deadlockTimeoutMs = 1;

/** Asks PostgreSQL, on another connection, who waits for whom. */
export function lockWaitsOf({ sql }: TestDatabase): ReadLockWaits {
  return async (underway) => {
    const waits = await sql<Wait>(
      `select a.pid, substr(a.application_name, 7) as program, pg_blocking_pids(a.pid) as blockers,
         coalesce((select clock_timestamp() - min(l.waitstart) > make_interval(secs => $1::int / 1000.0)
           from pg_locks l where l.pid = a.pid and not l.granted), false) as "isChecked"
       from pg_stat_activity a
       where a.datname = current_database() and a.application_name like 'weave %' and a.wait_event_type = 'Lock'`,
      [deadlockTimeoutMs * 4],
    );
    const transactions = new Set(underway.flatMap(({ pid }) => pid ?? []));
    const waitOf = (lane: Lane): Wait | null =>
      waits.find(({ pid, program }) =>
        lane.pid === null ? program === lane.program && !transactions.has(pid) : pid === lane.pid,
      ) ?? null;
    const found = underway.map(waitOf);
    const waiting = new Map(waits.map((wait) => [wait.pid, wait]));
    return found.every((wait) => wait !== null && wait.isChecked && leadsOut(wait.pid, waiting));
  };
}

/** Whether the chain of waits ends at a backend that does not wait. PostgreSQL ends one of a circle's transactions by itself. */
function leadsOut(
  pid: number,
  waiting: ReadonlyMap<number, Wait>,
  seen: ReadonlySet<number> = new Set(),
): boolean {
  const wait = waiting.get(pid);
  if (wait === undefined) return true;
  if (seen.has(pid) || wait.blockers.length === 0) return false;
  const path = new Set([...seen, pid]);
  return wait.blockers.every((blocker) => leadsOut(blocker, waiting, path));
}
