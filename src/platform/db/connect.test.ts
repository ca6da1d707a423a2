import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { silentLogger } from "../kernel/logger.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { connect } from "./connect.ts";
import { type Executor, statement } from "./database.ts";

const database = useDatabase();

const echo = statement<{ id: string; units: bigint; at: number; list: bigint[] }>(
  "test.echo",
  "select $1::bigint as id, $2::numeric as units, $3::timestamptz as at, $4::numeric[] as list",
);

describe("the database client", () => {
  it("returns ids as strings, units as bigint and instants as microseconds", async () => {
    const at = "2026-01-02T03:04:05.678901Z";
    const [row] = await database.db.query(echo, ["7", 10n ** 30n, at, [1n, 2n]]);
    expect(row).toEqual({ id: "7", units: 10n ** 30n, at: 1767323045678901, list: [1n, 2n] });
  });

  it("rolls back a transaction that throws", async () => {
    const insert = statement<{ name: string }>(
      "test.insert",
      "insert into job_lease (name, holder, fence, expires_at) values ('x', 'y', 1, '2026-01-01') returning name",
    );
    await expect(
      database.db.transaction(async (tx) => {
        await tx.query(insert);
        throw new Error("stop");
      }),
    ).rejects.toThrow("stop");
    expect(await database.sql("select * from job_lease")).toEqual([]);
  });

  it("runs the statements of a transaction in the order they were issued, and one failure rolls back all", async () => {
    const add = statement<{ place: string }>(
      "test.add",
      `insert into job_lease (name, holder, fence, expires_at)
     values ($1, 'y', (select count(*) from job_lease), '2026-01-01') returning fence as place`,
    );
    const addAll = (names: readonly string[]) =>
      database.db.transaction((tx) => Promise.all(names.map((name) => tx.query(add, [name]))));
    expect((await addAll(["a", "b", "c"])).flat()).toEqual([
      { place: "0" },
      { place: "1" },
      { place: "2" },
    ]);
    await expect(addAll(["d", "a", "e"])).rejects.toThrow("job_lease_pkey");
    expect(await database.sql("select name from job_lease order by name")).toEqual([
      { name: "a" },
      { name: "b" },
      { name: "c" },
    ]);
    expect((await addAll(["f", "g"])).flat()).toEqual([{ place: "3" }, { place: "4" }]);
  });

  const napLong = statement<never>("test.nap-long", "select pg_sleep(600)", { mayTakeLong: true });
  const naps = statement<never>(
    "test.naps",
    "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
  );
  const cancelNaps = statement<never>(
    "test.cancel-naps",
    "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
  );

  it("rejects with the failure of the first statement, even if a later one's is noticed before", async () => {
    const late = async (tx: Executor): Promise<unknown> => {
      try {
        return await tx.query(statement("test.divide", "select 1 / 0"));
      } catch (error) {
        await systemClock.sleep(50);
        throw error;
      }
    };
    const both = database.db.transaction((tx) =>
      Promise.all([late(tx), tx.query(statement("test.one", "select 1 as one"))]),
    );
    await expect(both).rejects.toThrow("division by zero");
  });

  it("does not let long statements block short ones or transactions", async () => {
    const db = connect({
      url: database.url,
      clock: systemClock,
      logger: silentLogger,
      statementTimeoutMs: 120_000,
      longStatementTimeoutMs: 600_000,
      connectionPatienceMs: 600_000,
    });
    let ended = 0;
    const asleep = Array.from({ length: 6 }, () =>
      db.query(napLong).catch(() => {
        ended += 1;
      }),
    );
    await expect.poll(() => database.db.query(naps)).toHaveLength(4);
    for (let turn = 0; turn < 4; turn += 1) await db.query(echo, ["1", 1n, null, []]);
    await db.transaction((tx) => tx.query(echo, ["1", 1n, null, []]));
    expect(ended).toBe(0);
    const endedByNow = async (): Promise<number> => {
      await database.db.query(cancelNaps);
      return ended;
    };
    await expect.poll(endedByNow).toBe(6);
    await Promise.all(asleep);
    await db.close();
  });

  it("ends long statements after their timeout", async () => {
    const db = connect({
      url: database.url,
      clock: systemClock,
      logger: silentLogger,
      longStatementTimeoutMs: 300,
    });
    await expect(db.query(napLong)).rejects.toThrow(Unavailable);
    await db.close();
  });

  const endOthers = statement<never>(
    "test.end-others",
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  const endSelf = statement<never>(
    "test.end-self",
    "select pg_terminate_backend(pg_backend_pid())",
  );
  const nap = statement<never>("test.nap", "select pg_sleep(600)");

  it("rejects with Unavailable when the server ends during a statement or transaction, and then reconnects", async () => {
    const { db } = database;
    await expect(db.query(endSelf)).rejects.toThrow(Unavailable);
    await expect(db.transaction((tx) => tx.query(endSelf))).rejects.toThrow(Unavailable);
    const asleep = expect(db.transaction((tx) => tx.query(nap))).rejects.toThrow(Unavailable);
    await expect.poll(async () => await db.query(naps)).toHaveLength(1);
    await db.query(endOthers).catch(() => undefined);
    await asleep;
    // A connection may notice its end only when it is used, and is replaced after that.
    const isAnswering = async (): Promise<boolean> => {
      const rows = await db.query(echo, ["1", 1n, null, []]).catch(() => []);
      return rows.length === 1;
    };
    await expect.poll(isAnswering).toBe(true);
    await expect.poll(isAnswering).toBe(true);
    await expect(db.transaction((tx) => tx.query(echo, ["1", 1n, null, []]))).resolves.toHaveLength(
      1,
    );
  });

  /** A message of PostgreSQL's protocol: type, length, content. */
  function message(type: string, content: Buffer): Buffer {
    const length = Buffer.alloc(4);
    length.writeInt32BE(content.length + 4);
    return Buffer.concat([Buffer.from(type), length, content]);
  }

  /**
   * What a server sends whose postmaster is killed while a client connects: authentication and termination arrive in one
   * piece, before the caller has received the connection. Found by killing databases under load.
   */
  const welcomeAndFarewell = Buffer.concat([
    message("R", Buffer.alloc(4)),
    message("Z", Buffer.from("I")),
    message(
      "E",
      Buffer.from(
        "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0",
      ),
    ),
  ]);

  it("rejects with Unavailable when the server ends while connecting, without crashing the process", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(welcomeAndFarewell));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const db = connect({
      url: `postgres://sluice@127.0.0.1:${port}/sluice`,
      clock: systemClock,
      logger: silentLogger,
    });
    await expect(db.transaction((tx) => tx.query(echo))).rejects.toThrow(Unavailable);
    await expect(db.query(echo, ["7", 1n, null, []])).rejects.toThrow(Unavailable);
    await db.close();
    server.close();
  });
});
