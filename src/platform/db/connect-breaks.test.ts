import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { renewLease, takeLease } from "../../chains/follow/chain-lease.store.ts";
import { lockCursor } from "../../chains/follow/follower.store.ts";
import { silentLogger } from "../kernel/logger.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { connect } from "./connect.ts";
import { type Database, type Executor, statement } from "./database.ts";

const database = useDatabase();

function open(options: Partial<Parameters<typeof connect>[0]> = {}): Database {
  return connect({
    url: database.url,
    clock: systemClock,
    logger: silentLogger,
    statementConnections: 1,
    transactionConnections: 1,
    longConnections: 1,
    // Long enough for a busy machine.
    connectionPatienceMs: 120_000,
    statementTimeoutMs: 120_000,
    longStatementTimeoutMs: 120_000,
    ...options,
  });
}

const one = statement<{ one: number }>("test.one", "select 1 as one");
const oneLong = statement<{ one: number }>("test.one-long", "select 1 as one", {
  mayTakeLong: true,
});
const end = "select pg_terminate_backend(pg_backend_pid())";
const endSelf = statement<never>("test.end-self", end);
const endSelfLong = statement<never>("test.end-self-long", end, { mayTakeLong: true });
const insertLease = statement<never>(
  "test.insert-lease",
  "insert into job_lease (name, holder, fence, expires_at) values ($1, 'y', 1, '2026-01-01')",
);

describe("a database connection that breaks", () => {
  it("is not used again after the server ended it with its answer", async () => {
    const db = open();
    for (let turn = 0; turn < 10; turn += 1) {
      await expect(db.query(endSelf)).rejects.toThrow(Unavailable);
      await expect(db.query(one)).resolves.toEqual([{ one: 1 }]);
      await expect(db.query(endSelfLong)).rejects.toThrow(Unavailable);
      await expect(db.query(oneLong)).resolves.toEqual([{ one: 1 }]);
      await expect(db.transaction((tx) => tx.query(endSelf))).rejects.toThrow(Unavailable);
      await expect(db.transaction((tx) => tx.query(one))).resolves.toEqual([{ one: 1 }]);
    }
    await db.close();
  });

  it("does not fail later statements of the same name when preparing the first one timed out", async () => {
    // Long enough for the statements after the lock is released, on a busy machine.
    const db = open({ statementTimeoutMs: 10_000 });
    const holder = open();
    const lock = statement<never>("test.lock", "lock table job_lease in access exclusive mode");
    const read = statement<{ count: string }>("test.read-locked", "select count(*) from job_lease");
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isLocked = (): void => undefined;
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve;
    });
    const holding = holder.transaction(async (tx) => {
      await tx.query(lock);
      isLocked();
      await isReleased;
    });
    await locked;
    const queries = [1, 2, 3, 4].map(() => db.query(read));
    // Parsing waits for the lock and is canceled; the others were sent behind it and rely on its prepared statement.
    await expect(queries[0]).rejects.toThrow(Unavailable);
    release();
    await holding;
    const outcomes = await Promise.allSettled(queries.slice(1));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(Unavailable);
    }
    expect(outcomes.at(-1)).toMatchObject({ status: "fulfilled" });
    await expect(db.query(read)).resolves.toHaveLength(1);
    await db.close();
    await holder.close();
  });

  it("reports a transaction as failed if one of its statements failed, even if the work swallowed the error", async () => {
    const db = open();
    const broken = statement<never>("test.broken", "select 1 / 0");
    await expect(
      db.transaction(async (tx) => {
        await tx.query(insertLease, ["swallowed"]);
        await tx.query(broken).catch(() => undefined);
      }),
    ).rejects.toThrow("division by zero");
    expect(await database.sql("select 1 from job_lease where name = 'swallowed'")).toEqual([]);
    await db.close();
  });

  it("rejects statements issued after the end of their transaction", async () => {
    const db = open();
    let leaked: Executor | null = null;
    await db.transaction((tx) => {
      leaked = tx;
      return Promise.resolve();
    });
    await expect(leaked!.query(insertLease, ["late"])).rejects.toThrow(
      "after the end of its transaction",
    );
    expect(await database.sql("select 1 from job_lease where name = 'late'")).toEqual([]);
    await db.close();
  });

  it("does not let a statement that waits for a transaction's row block that transaction's other statements", async () => {
    await database.sql(
      "insert into chain_cursor (chain, network, height, fence, lease_holder, updated_at) values ('X', 'x', 1, 1, 'me', '2026-01-01')",
    );
    const db = open({ statementTimeoutMs: 60_000, transactionConnections: 2 });
    const fence = { chain: "X", fence: "1" };
    const at = systemClock.now();
    let renewal: Promise<boolean> = Promise.resolve(false);
    await db.transaction(async (tx) => {
      expect(await lockCursor(tx, fence, { height: 1, hash: null })).toBe(true);
      renewal = renewLease(db, fence, at, null, at);
      // As when the follower reads prices while it writes a block.
      await expect(db.query(one)).resolves.toEqual([{ one: 1 }]);
    });
    expect(await renewal).toBe(true);
    await db.close();
  });

  it("rejects a lease renewal that waits too long for a lock, without losing the lease", async () => {
    await database.sql(
      "insert into chain_cursor (chain, network, height, fence, lease_holder, updated_at) values ('Y', 'y', 1, 1, 'me', '2026-01-01')",
    );
    const db = open({ lockTimeoutMs: 100, transactionConnections: 2 });
    const fence = { chain: "Y", fence: "1" };
    const at = systemClock.now();
    await db.transaction(async (tx) => {
      expect(await lockCursor(tx, fence, { height: 1, hash: null })).toBe(true);
      await expect(renewLease(db, fence, at, null, at)).rejects.toThrow(Unavailable);
      await expect(takeLease(db, "Y", "other", at, at)).rejects.toThrow(Unavailable);
    });
    expect(await renewLease(db, fence, at, null, at)).toBe(true);
    await db.close();
  });

  it("rolls back a transaction that waits too long for a lock, and rejects with Unavailable", async () => {
    await database.sql(
      "insert into job_lease (name, holder, fence, expires_at) values ('held', 'y', 1, '2026-01-01')",
    );
    const db = open({ lockTimeoutMs: 100, transactionConnections: 2 });
    const change = statement<never>(
      "test.change-lease",
      "update job_lease set fence = 2 where name = 'held'",
    );
    await db.transaction(async (holder) => {
      await holder.query(change);
      await expect(
        db.transaction(async (tx) => {
          await tx.query(insertLease, ["rolled back"]);
          await tx.query(change);
        }),
      ).rejects.toThrow(Unavailable);
    });
    expect(await database.sql("select 1 from job_lease where name = 'rolled back'")).toEqual([]);
    await db.close();
  });

  it("leaves nothing half done when the server ends during a commit, and rejects with Unavailable", async () => {
    await database.sql("create table ends_at_commit (id integer)");
    await database.sql(
      `create function end_session() returns trigger language plpgsql as
     $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`,
    );
    await database.sql(
      `create constraint trigger end_at_commit after insert on ends_at_commit
     deferrable initially deferred for each row execute function end_session()`,
    );
    const db = open();
    const insert = statement<never>("test.insert-ending", "insert into ends_at_commit values (1)");
    await expect(db.transaction((tx) => tx.query(insert))).rejects.toThrow(Unavailable);
    await expect(db.transaction((tx) => tx.query(one))).resolves.toEqual([{ one: 1 }]);
    expect(await database.sql("select * from ends_at_commit")).toEqual([]);
    await db.close();
  });

  const welcome = Buffer.from([
    ...[0x52, 0, 0, 0, 8, 0, 0, 0, 0], // AuthenticationOk
    ...[0x5a, 0, 0, 0, 5, 0x49], // ReadyForQuery, idle
  ]);

  it("rejects with Unavailable within the statement timeout when a server goes silent without closing connections", async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      socket.once("data", () => socket.write(welcome));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const db = open({
      url: `postgres://sluice@127.0.0.1:${port}/sluice`,
      statementTimeoutMs: 300,
      longStatementTimeoutMs: 300,
    });
    const outcomes = await Promise.allSettled([
      ...[db.query(one), db.query(one), db.query(oneLong)],
      db.transaction((tx) => tx.query(one)),
    ]);
    for (const outcome of outcomes) {
      expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(Unavailable);
    }
    const closed = db.close();
    for (const socket of sockets) socket.destroy();
    await closed;
    server.close();
  });
});
