import { afterEach, describe, expect, it } from "vitest";
import { startRelay } from "../../../test/chaos/relay.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { silentLogger } from "../kernel/logger.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { connect } from "./connect.ts";
import { type Database, statement } from "./database.ts";

/*
 * A relay between client and server swallows packets for a while. The driver's own timeout, of fifteen minutes here, never ends
 * anything.
 */

const database = useDatabase();
const one = statement<{ one: number }>("test.one", "select 1 as one");
const oneLong = statement<{ one: number }>("test.one-long", "select 1 as one", {
  mayTakeLong: true,
});
const lock = statement<never>("test.lock", "lock table job_lease in access exclusive mode");
const read = statement<{ count: string }>("test.read", "select count(*) from job_lease");
const patient = { statementTimeoutMs: 600_000, longStatementTimeoutMs: 600_000 };

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
});

function open(options: Partial<Parameters<typeof connect>[0]> = {}): Database {
  const db = connect({
    url: database.url,
    clock: systemClock,
    logger: silentLogger,
    statementConnections: 1,
    extraStatementConnections: 0,
    transactionConnections: 1,
    longConnections: 1,
    connectionPatienceMs: 600_000,
    lockTimeoutMs: 600_000,
    ...patient,
    ...options,
  });
  closers.push(db.close);
  return db;
}

async function relayed(): Promise<{
  readonly url: string;
  readonly silence: () => () => void;
}> {
  const url = new URL(database.url);
  const relay = await startRelay({ port: 0 }, { port: Number(url.port) });
  closers.push(relay.close);
  url.port = String("port" in relay.at ? relay.at.port : "");
  return { url: url.href, silence: () => relay.disturb({ kind: "silent" }) };
}

describe("a connection whose packets vanished for a while", () => {
  it("is given up, so that the next statement, transaction and list succeed", async () => {
    const { url, silence } = await relayed();
    const db = open({ url });
    await Promise.all([db.query(one), db.query(oneLong), db.transaction((tx) => tx.query(one))]);
    const end = silence();
    const lost = [db.query(one), db.query(oneLong), db.transaction((tx) => tx.query(one))];
    const outcomes = Promise.allSettled(lost);
    // Whatever is written now reaches no one.
    await systemClock.sleep(100);
    end();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: expect.any(Unavailable) as unknown,
      });
    expect(await db.query(one)).toEqual([{ one: 1 }]);
    expect(await db.query(oneLong)).toEqual([{ one: 1 }]);
    expect(await db.transaction((tx) => tx.query(one))).toEqual([{ one: 1 }]);
  });

  it("is ended on the server, too, which lets go of its locks", async () => {
    const { url, silence } = await relayed();
    const [db, other] = [open({ url }), open()];
    const vanished = db.transaction(async (tx) => {
      await tx.query(lock);
      const end = silence();
      const swallowed = tx.query(one);
      swallowed.catch(() => undefined);
      await systemClock.sleep(100);
      end();
      await swallowed;
    });
    vanished.catch(() => undefined);
    await expect(other.query(read)).resolves.toHaveLength(1);
    await expect(vanished).rejects.toThrow(Unavailable);
  });

  it("holds no locks for longer than a statement may take if its client is gone", async () => {
    const { url, silence } = await relayed();
    const db = open({ url, statementTimeoutMs: 2_000 });
    const other = open();
    const vanished = db.transaction(async (tx) => {
      await tx.query(lock);
      silence();
      await tx.query(one);
    });
    vanished.catch(() => undefined);
    await expect(other.query(read)).resolves.toHaveLength(1);
    await expect(vanished).rejects.toThrow(Unavailable);
  });
});

describe("a connection that waits for its server", () => {
  it("is left alone while the server waits for a lock", async () => {
    let looks = 0;
    const hasty = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => {
        if (ms === 1_000) looks += 1;
        return systemClock.sleep(ms / 20, signal);
      },
    };
    const [holder, db] = [open(), open({ clock: hasty })];
    let waiting: Promise<readonly unknown[]> = Promise.resolve([]);
    await holder.transaction(async (tx) => {
      await tx.query(lock);
      waiting = db.query(read);
      waiting.catch(() => undefined);
      for (const seen = looks; looks < seen + 20; ) await systemClock.sleep(20);
    });
    await expect(waiting).resolves.toHaveLength(1);
  });
});

describe("a transaction that waits too long for its next statement", () => {
  it("fails as unavailable, and the connection is not used again", async () => {
    const db = open({ statementTimeoutMs: 1_000 });
    const idle = db.transaction(async (tx) => {
      await tx.query(one);
      await systemClock.sleep(2_500);
      await tx.query(one);
    });
    await expect(idle).rejects.toThrow(Unavailable);
    expect(await db.transaction((tx) => tx.query(one))).toEqual([{ one: 1 }]);
  });
});
