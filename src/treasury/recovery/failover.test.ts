import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { type Standby, startStandby } from "../../../test/support/standby.ts";
import { pausePayouts } from "../../payouts/controls/pause.store.ts";
import { assertAdmitted } from "../../platform/db/admission.ts";
import { connect } from "../../platform/db/connect.ts";
import type { Database } from "../../platform/db/database.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../platform/db/embedded.ts";
import { assembledStatement } from "../../platform/db/list-query.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type MarkFile, openMarkFile } from "../../signer/journal/database-mark.ts";
import { type MarkContext, syncMark } from "./sync-mark.ts";

/* A PostgreSQL server with a standby that is promoted, as in a failover. */

const { signal } = new AbortController();
let folder = "";
let primary: EmbeddedDatabase;
const opened: Database[] = [];
const standbys: Standby[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-failover-"));
  // The server may run as another user.
  await chmod(folder, 0o755);
  primary = await startEmbedded({
    folder: join(folder, "primary"),
    password: "failover",
    clock: systemClock,
    settings: ["-c", "wal_keep_size=512MB"],
  });
  await migrate(primary.url, systemClock);
}, 900_000);
afterAll(async () => {
  for (const db of opened) await db.close();
  for (const standby of standbys) await standby.stop();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

function open(url: string): Database {
  const db = connect({ url, clock: systemClock, logger: silentLogger });
  opened.push(db);
  return db;
}

const run = <Row>(db: Database, sql: string): Promise<readonly Row[]> =>
  db.query(assembledStatement<Row>("test", sql), []);

const setUp = async (name: string) => {
  const db = open(primary.url);
  const file: MarkFile = await openMarkFile(join(folder, `${name}.mark`), new Uint8Array(32));
  await run(db, "delete from database_mark");
  await run(db, "insert into database_mark default values");
  await run(db, "delete from payout_stop");
  await run(db, "delete from address");
  await run(
    db,
    `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at)
     select 'evm', n::text, n::text, '', n, clock_timestamp() from generate_series(0, 29) as n`,
  );
  const errors: unknown[] = [];
  const contextOf = (database: Database): MarkContext => ({
    db: database,
    clock: systemClock,
    logger: { ...silentLogger, error: (...line) => errors.push(line) },
    signer: { readMark: () => Promise.resolve(file.read()), mark: file.move },
    adoptSigned: () => Promise.resolve(),
    pausePayouts: (tx, reason, now) =>
      pausePayouts(tx, "restore", "chain/ETH", { reason, by: null, now }),
  });
  const standby = await startStandby(
    { folder: join(folder, "primary"), url: primary.url },
    join(folder, name),
  );
  standbys.push(standby);
  return { db, standby, contextOf, errors };
};

const takeNumber = async (db: Database): Promise<number> => {
  const [row] = await run<{ id: string }>(db, "select nextval('payout_id_seq') as id");
  return Number(row?.id);
};
const lastNumber = async (db: Database): Promise<number> => {
  const [row] = await run<{ id: string }>(
    db,
    "select pg_sequence_last_value('payout_id_seq') as id",
  );
  return Number(row?.id);
};
/** Until a standby has replayed everything that was written so far. */
const untilReplayed = async (db: Database): Promise<void> => {
  const [sent] = await run<{ lsn: string }>(db, "select pg_current_wal_flush_lsn() as lsn");
  await eventually(
    () =>
      run<{ isThere: boolean }>(
        db,
        `select bool_or(replay_lsn >= '${sent?.lsn ?? ""}') as "isThere" from pg_stat_replication`,
      ),
    ([row]) => row?.isThere === true,
  );
};
const waiting = async (db: Database): Promise<number> =>
  (await run(db, "select from address where deposit_id is null")).length;

describe("a failover of the database", () => {
  it("retires no address, skips no id and logs no error after failing over to a synchronous standby", async () => {
    const { db, standby, contextOf, errors } = await setUp("synchronous");
    await run(db, "alter system set synchronous_standby_names = 'standby'");
    await run(db, "select pg_reload_conf()");
    await eventually(
      () =>
        run<{ names: string }>(db, "select current_setting('synchronous_standby_names') as names"),
      ([row]) => row?.names === "standby",
    );
    await syncMark(contextOf(db), signal);
    const last = await takeNumber(db);
    await syncMark(contextOf(db), signal);
    await syncMark(contextOf(db), signal);
    await run(db, "alter system reset synchronous_standby_names");
    await standby.promote();

    const promoted = open(standby.url);
    await expect(assertAdmitted(promoted)).rejects.toThrow(Unavailable);
    await syncMark(contextOf(promoted), signal);
    await assertAdmitted(promoted);
    expect(await waiting(promoted)).toBe(30);
    // A standby starts behind the values that the primary had preallocated in the log, at most 32.
    expect(await takeNumber(promoted)).toBeLessThanOrEqual(last + 33);
    expect(await run(promoted, "select from payout_stop")).toEqual([]);
    expect(errors).toEqual([]);
    await run(db, "select pg_reload_conf()");
  }, 900_000);

  it("recognizes a server without the values that another one skipped when it was promoted", async () => {
    const { db, standby, contextOf, errors } = await setUp("former");
    const waitForStandby = async (server: Database): Promise<void> => {
      await run(server, "alter system set synchronous_standby_names = 'standby'");
      await run(server, "select pg_reload_conf()");
      await eventually(
        () =>
          run<{ names: string }>(
            server,
            "select current_setting('synchronous_standby_names') as names",
          ),
        ([row]) => row?.names === "standby",
      );
    };
    await waitForStandby(db);
    await syncMark(contextOf(db), signal);
    const last = await takeNumber(db);
    await syncMark(contextOf(db), signal);
    // The copy would wait for a standby of its own.
    await run(db, "alter system reset synchronous_standby_names");
    // Like a former primary that follows the promoted one: its pages have the primary's own values.
    const former = await startStandby(
      { folder: join(folder, "primary"), url: primary.url },
      join(folder, "former-2"),
      standby.url,
    );
    standbys.push(former);
    await standby.promote();
    const promoted = open(standby.url);
    await waitForStandby(promoted);
    await syncMark(contextOf(promoted), signal);
    await syncMark(contextOf(promoted), signal);
    const ahead = await lastNumber(promoted);
    expect(ahead).toBe(last + 32);
    await untilReplayed(promoted);

    await former.promote();
    const again = open(former.url);
    expect(await lastNumber(again)).toBe(last);
    await expect(assertAdmitted(again)).rejects.toThrow(Unavailable);
    await syncMark(contextOf(again), signal);
    await assertAdmitted(again);
    expect(await takeNumber(again)).toBe(ahead + 1);
    expect(await waiting(again)).toBe(30);
    expect(await run(again, "select from payout_stop")).toEqual([]);
    expect(errors).toEqual([]);
    await run(db, "select pg_reload_conf()");
  }, 900_000);

  it("skips some ids and the next 16 addresses of a promoted standby if commits did not wait for it", async () => {
    const { db, standby, contextOf, errors } = await setUp("unacknowledged");
    await syncMark(contextOf(db), signal);
    const last = await takeNumber(db);
    await syncMark(contextOf(db), signal);
    await syncMark(contextOf(db), signal);
    // Everything so far reaches the standby, which proves nothing about what came after it.
    await untilReplayed(db);
    await standby.promote();
    const promoted = open(standby.url);
    let adopted = 0;
    // What was signed in the lost second could be canceled before it is adopted.
    const adoptSigned = async (): Promise<void> => {
      await expect(assertAdmitted(promoted)).rejects.toThrow(Unavailable);
      adopted += 1;
    };
    await syncMark({ ...contextOf(promoted), adoptSigned }, signal);
    expect(adopted).toBe(1);
    await assertAdmitted(promoted);
    expect(await waiting(promoted)).toBe(14);
    const next = await takeNumber(promoted);
    expect(next).toBeGreaterThan(last + 10_000);
    expect(next).toBeLessThanOrEqual(last + 10_033);
    expect(await run(promoted, "select from payout_stop")).toEqual([]);
    expect(errors).toEqual([]);
  }, 900_000);

  it("recognizes a failover that lost the last transactions and pauses payouts", async () => {
    const { db, standby, contextOf, errors } = await setUp("asynchronous");
    await syncMark(contextOf(db), signal);
    await takeNumber(db);
    await syncMark(contextOf(db), signal);
    await standby.promote();
    // The old primary continued for a moment, without the standby.
    for (let count = 0; count < 40; count += 1) await takeNumber(db);
    await syncMark(contextOf(db), signal);

    const promoted = open(standby.url);
    await syncMark(contextOf(promoted), signal);
    expect(await waiting(promoted)).toBe(0);
    expect(await takeNumber(promoted)).toBeGreaterThan(1_000_000);
    expect(await run(promoted, "select scope, kind from payout_stop")).toEqual([
      { scope: "chain/ETH", kind: "restore" },
    ]);
    expect(errors).toHaveLength(1);
  }, 900_000);
});
