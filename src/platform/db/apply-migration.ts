import pg from "pg";
import { addSeconds, type Clock } from "../kernel/clock.ts";
import { monthOf } from "../kernel/month.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

/** A migration file, `0001_accounts.sql`, with its optional `0001_accounts.check.sql`. */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly check: string | null;
};

/** What applying migrations needs; see `MigrateOptions`. */
export type MigrationRun = {
  readonly client: pg.Client;
  readonly openSession: () => Promise<pg.Client>;
  readonly clock: Clock;
  readonly lockTimeoutMs: number;
  readonly patienceSeconds: number;
  readonly runChecks: boolean;
  readonly onWait: (name: string, reason: string) => void;
};

/** Lock not available within `lock_timeout`, and deadlock: another try may succeed. */
const passingStates: ReadonlySet<string> = new Set(["55P03", "40P01"]);
/** How often a run looks whether the run before it is over. */
const turnMs = 200;
const pauseMs = { first: 500, longest: 5_000 } as const;

/** Applies a migration and records it in one transaction; false if it is recorded already. */
export function applyInTransaction(
  run: MigrationRun,
  migration: Migration,
  digest: string,
): Promise<boolean> {
  const { client } = run;
  return untilLocked(run, migration.name, async () => {
    const isNew = await takeTurn(run, client, migration.name, digest);
    try {
      if (isNew) {
        await client.query(`set local lock_timeout = ${run.lockTimeoutMs}`);
        await client.query(fillIn(migration.sql, run.clock));
        await record(run, client, migration.name, digest);
        if (run.runChecks && migration.check !== null) await client.query(migration.check);
      }
      await client.query("commit");
      return isNew;
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  });
}

/**
 * Applies a migration that begins with `-- concurrently`: each statement by itself, outside a transaction, for those that do not
 * block writes for long or at all (`create index concurrently`, `validate constraint`). A run that was killed in between leaves
 * some statements applied, so each must tolerate being repeated (`if not exists`). An index whose construction was interrupted is
 * invalid; it is dropped and built again. Another session holds the version table's lock, so that runs take turns.
 */
export async function applyConcurrently(
  run: MigrationRun,
  migration: Migration,
  digest: string,
): Promise<boolean> {
  const turn = await run.openSession();
  try {
    if (!(await takeTurn(run, turn, migration.name, digest))) return false;
    for (const statement of splitStatements(fillIn(migration.sql, run.clock))) {
      await untilLocked(run, migration.name, async () => {
        const index = indexOf(statement);
        // Waiting for other transactions to end, which an index does, blocks nobody.
        await run.client.query(`set lock_timeout = ${index === null ? run.lockTimeoutMs : 0}`);
        if (index !== null) await dropInterrupted(run, index);
        await run.client.query(statement);
      });
    }
    await record(run, turn, migration.name, digest);
    if (run.runChecks && migration.check !== null) await turn.query(migration.check);
    await turn.query("commit");
    return true;
  } finally {
    await run.client.query("reset lock_timeout").catch(() => undefined);
    await turn.end();
  }
}

/**
 * Begins a transaction that has the version table; false if the migration is recorded already. Rejects if it was edited since. It asks
 * again and again instead of waiting for the lock, and its statements have no parameters: an index that another run builds
 * waits for every session with a snapshot, which a waiting one has, and one with the open portal of such a statement.
 */
async function takeTurn(
  { clock }: MigrationRun,
  client: pg.Client,
  name: string,
  digest: string,
): Promise<boolean> {
  for (;;) {
    await client.query("begin");
    try {
      await client.query("lock table schema_migration in exclusive mode nowait");
      break;
    } catch (error) {
      await client.query("rollback");
      if (!isPassing(error)) throw error;
      await clock.sleep(turnMs);
    }
  }
  const { rows } = await client.query<{ name: string; digest: string }>(
    "select name, digest from schema_migration",
  );
  const recorded = rows.find((row) => row.name === name)?.digest;
  if (recorded === undefined || recorded === digest) return recorded === undefined;
  await client.query("rollback");
  throw new Error(`migration ${name} was changed after it was applied`);
}

function isPassing(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && passingStates.has(error.code ?? "");
}

async function record(
  { clock }: MigrationRun,
  client: pg.Client,
  name: string,
  digest: string,
): Promise<void> {
  await client.query(
    "insert into schema_migration (name, digest, applied_at) values ($1, $2, $3)",
    [name, digest, formatTimestamp(clock.now())],
  );
}

/** Repeats `work` until it gets its locks, with growing pauses in which the queue behind it passes. */
async function untilLocked<Result>(
  { clock, patienceSeconds, onWait }: MigrationRun,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = addSeconds(clock.now(), patienceSeconds);
  for (let pause: number = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.longest)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (clock.now() >= deadline)
        throw new Error(
          `migration ${name} did not get its locks within ${patienceSeconds} s: ${error.message}. End the transactions that hold them, then run it again`,
          { cause: error },
        );
      onWait(name, error.message);
      await clock.sleep(pause);
    }
  }
}

/** Replaces `{month+2}` by the start of the month two months after this one, for the bounds of partitions. */
function fillIn(sql: string, clock: Clock): string {
  return sql.replaceAll(
    /\{month\+(\d+)\}/g,
    (_, ahead: string) => `'${formatTimestamp(monthOf(clock.now(), Number(ahead)))}'`,
  );
}

/** Statements end with a semicolon at the end of a line. Comments before a statement stay with it. */
function splitStatements(sql: string): readonly string[] {
  return sql
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, "").trim() !== "");
}

/** The name of the index that a statement creates concurrently; null for another statement. */
function indexOf(statement: string): string | null {
  const created = /create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement);
  return created?.[1] ?? null;
}

/** Drops an index that no run is building any more and that was not completed. The server may go on after its client was killed. */
async function dropInterrupted({ client, clock }: MigrationRun, index: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_valid: boolean; is_being_built: boolean }>(
      `select i.indisvalid as is_valid, p.pid is not null as is_being_built
       from pg_index i left join pg_stat_progress_create_index p on p.index_relid = i.indexrelid
       where i.indexrelid = to_regclass($1)`,
      [index],
    );
    const [state] = rows;
    if (state === undefined || state.is_valid) return;
    if (!state.is_being_built) break;
    await clock.sleep(pauseMs.first);
  }
  await client.query(`drop index concurrently if exists ${index}`);
}
