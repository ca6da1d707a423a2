import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { startSilencableLink } from "../../../test/support/silencable-link.ts";
import { type Standby, startStandby } from "../../../test/support/standby.ts";
import { present } from "../kernel/assert.ts";
import type { Caller, CallerScope } from "../kernel/caller.ts";
import { type Logger, silentLogger } from "../kernel/logger.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { admission } from "./admission.ts";
import { connect } from "./connect.ts";
import type { Database } from "./database.ts";
import { databaseOrigin } from "./database-origin.ts";
import { type EmbeddedDatabase, startEmbedded } from "./embedded.ts";
import { inspectReplica } from "./inspect-replica.ts";
import { assembledStatement } from "./list-query.ts";
import { migrate } from "./migrate.ts";
import { readFromReplica } from "./replica-reads.ts";
import type { PrimaryReason } from "./replica-state.ts";

/*
 * Reads through real PostgreSQL servers: a primary and two standbys that stream from it. One standby stops replaying, one is promoted, one
 * ends. What was acknowledged is read, through whichever process.
 */

let folder = "";
let primary: EmbeddedDatabase;
let first: Standby;
let second: Standby;
const opened: Database[] = [];

const reader: Caller = { key: "1", signal: new AbortController().signal, mayLag: true };
/** Every statement of these processes is a read that may lag. */
const callers: CallerScope = { run: (_caller, work) => work(), current: () => reader };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-replica-"));
  // The server may run as another user.
  await chmod(folder, 0o755);
  const site = join(folder, "primary");
  primary = await startEmbedded({ folder: site, password: "replica", clock: systemClock });
  await migrate(primary.url, systemClock);
  first = await startStandby({ folder: site, url: primary.url }, join(folder, "first"));
  second = await startStandby({ folder: site, url: primary.url }, join(folder, "second"));
  const db = open(primary.url);
  await admit(db);
  await run(db, "create table note (id bigint primary key)");
}, 900_000);

afterAll(async () => {
  for (const db of opened) await db.close();
  await Promise.all([first.stop(), second.stop()]);
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

function open(url: string): Database {
  const db = connect({ url, clock: systemClock, logger: silentLogger });
  opened.push(db);
  return db;
}

/** As a worker does at its first look after a start or a promotion. */
const admit = (db: Database) =>
  run(db, `update database_mark mark set ${admission}, origin = ${databaseOrigin}`);

/** An api process with that replica. */
function openProcess(primaryUrl: string, replicaUrl: string, logger = silentLogger): Database {
  const db = readFromReplica(
    connect({ url: primaryUrl, clock: systemClock, logger: silentLogger }),
    {
      url: replicaUrl,
      lagMaxMs: 300,
      connections: 4,
      connectionsPerCaller: 4,
      callers,
      clock: systemClock,
      logger,
      applicationName: "test",
    },
  );
  opened.push(db);
  return db;
}

const run = <Row>(db: Database, sql: string): Promise<readonly Row[]> =>
  db.query(assembledStatement<Row>("test", sql), []);

let last = 0;
/** Writes a note; resolves with its id once that is acknowledged. */
async function write(db: Database): Promise<number> {
  last += 1;
  await db.transaction((tx) =>
    tx.query(assembledStatement("test", "insert into note values ($1)"), [last]),
  );
  return last;
}
type Read = { readonly newest: number; readonly isReplica: boolean };
const read = async (db: Database): Promise<Read> => {
  const [row] = await run<Read>(
    db,
    'select max(id)::int as newest, pg_is_in_recovery() as "isReplica" from note',
  );
  return present(row, "a row");
};
const state = (db: Database) => present(db.replica, "a replica")();
const answered = (db: Database, reason: PrimaryReason): number => state(db).answers.primary[reason];
const untilReplica = (db: Database) =>
  eventually(
    () => read(db),
    ({ isReplica }) => isReplica,
    60,
  );

describe("an inspection of a replica", () => {
  it("tells a standby of the primary from the primary", async () => {
    await write(open(primary.url));
    expect(await inspectReplica(primary.url, first.url)).toMatchObject({
      isStandby: true,
      lagBytes: expect.any(Number) as number,
    });
    await eventually(
      () => inspectReplica(primary.url, first.url),
      ({ isOfPrimary, lagBytes }) => isOfPrimary === true && lagBytes === 0,
      30,
    );
    expect((await inspectReplica(primary.url, primary.url)).isStandby).toBe(false);
  });
});

describe("reads from a replica", () => {
  it("have everything that was acknowledged before, through whichever process", async () => {
    const [one, other] = [openProcess(primary.url, first.url), openProcess(primary.url, first.url)];
    await Promise.all([untilReplica(one), untilReplica(other)]);
    for (let round = 0; round < 100; round += 1) {
      const id = await write(one);
      expect((await read(other)).newest).toBe(id);
    }
    const { answers } = state(other);
    expect(answers.replica).toBeGreaterThan(0);
  });

  it("go to the primary while the replica does not replay, and return", async () => {
    const db = openProcess(primary.url, first.url);
    await untilReplica(db);
    const replica = open(first.url);
    await run(replica, "select pg_wal_replay_pause()");
    const id = await write(db);
    expect(await read(db)).toEqual({ newest: id, isReplica: false });
    // The next ones do not wait for it again.
    const again = await write(db);
    expect(await read(db)).toEqual({ newest: again, isReplica: false });
    expect(answered(db, "behind")).toBeGreaterThanOrEqual(2);
    await eventually(
      () => Promise.resolve(state(db).lagSeconds),
      (seconds) => (seconds ?? 0) > 0,
      30,
    );
    await run(replica, "select pg_wal_replay_resume()");
    expect((await untilReplica(db)).newest).toBe(again);
    expect(state(db).lagSeconds).toBe(0);
  });

  it("go to the primary when the replica refuses them", async () => {
    const db = openProcess(primary.url, first.url);
    await untilReplica(db);
    last += 1;
    await run(db, `insert into note values (${last})`);
    expect(answered(db, "refused")).toBe(1);
    expect((await read(db)).newest).toBe(last);
  });

  it("never come from a replica that follows another primary, however far its log is", async () => {
    // The old primary lives on, cut off from everyone but its second standby, and writes what nobody sees.
    await first.promote();
    const promoted = open(first.url);
    await admit(promoted);
    await run(open(primary.url), "insert into note select -n from generate_series(1, 20000) n");
    const db = openProcess(first.url, second.url);
    const [ahead] = await run<{ isAhead: boolean }>(
      open(second.url),
      `select pg_last_wal_replay_lsn() > '${(await run<{ lsn: string }>(promoted, "select pg_current_wal_flush_lsn()::text as lsn"))[0]?.lsn ?? ""}' as "isAhead"`,
    );
    expect(ahead?.isAhead).toBe(true);
    expect((await inspectReplica(first.url, second.url)).isOfPrimary).toBe(false);
    for (let round = 0; round < 5; round += 1) {
      const id = await write(db);
      expect(await read(db)).toEqual({ newest: id, isReplica: false });
      await systemClock.sleep(300);
    }
    expect(state(db).lagSeconds).toBeNull();
    expect(answered(db, "unreachable")).toBe(5);
  });

  it("go to the primary when the replica's network is gone, without waiting for what the driver allows", async () => {
    const link = await startSilencableLink(second.url);
    const reasons: unknown[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (_, fields) => reasons.push(fields?.["error"]),
    };
    const db = openProcess(primary.url, link.url, logger);
    await untilReplica(db);
    reasons.length = 0;
    link.silence();
    expect((await read(db)).isReplica).toBe(false);
    expect(reasons).toEqual(["no answer within 1000 ms"]);
    await link.close();
  });

  it("go to the primary when the replica has ended", async () => {
    const db = openProcess(primary.url, second.url);
    await untilReplica(db);
    await second.stop();
    const { newest, isReplica } = await read(db);
    expect(isReplica).toBe(false);
    expect(newest).toBeGreaterThan(0);
    expect(answered(db, "unreachable")).toBeGreaterThanOrEqual(1);
  });
});
