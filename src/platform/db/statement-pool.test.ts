import pg from "pg";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { atEndOfTurn } from "../kernel/system-turn.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { type Statement, statement } from "./database.ts";
import type { PipelinedConnection } from "./pipelined-connection.ts";
import { StatementPool } from "./statement-pool.ts";

type Sent = {
  readonly name: string;
  readonly answer: (rows: readonly unknown[]) => void;
  readonly fail: (error: unknown) => void;
};

/** A connection whose answers the test gives. */
class ScriptedConnection implements PipelinedConnection {
  readonly sent: Sent[] = [];
  hasEnded = false;
  readonly onUnusable: () => void;

  constructor(onUnusable: () => void) {
    this.onUnusable = onUnusable;
  }

  run<Row>({ name }: Statement<Row>): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      const answer = (rows: readonly unknown[]): void => {
        resolve(rows as readonly Row[]);
      };
      this.sent.push({ name, answer, fail: reject });
    });
  }

  end(): Promise<void> {
    this.hasEnded = true;
    return Promise.resolve();
  }

  names(): readonly string[] {
    return this.sent.map(({ name }) => name);
  }
}

const read = (name: string): Statement<string> => statement(name, "select 1");
const write = (name: string): Statement<string> => statement(name, "update deposit set label = ''");

function setUp({ size = 2, extraMax = 2, silentAttempts = 0 } = {}) {
  const clock = manualClock();
  const connections: ScriptedConnection[] = [];
  const late = Promise.withResolvers<null>();
  const pool = new StatementPool({
    open: (onUnusable) => {
      const connection = new ScriptedConnection(onUnusable);
      connections.push(connection);
      return connections.length <= silentAttempts
        ? late.promise.then(() => connection)
        : Promise.resolve(connection);
    },
    clock,
    size,
    extraMax,
    patienceMs: 10_000,
  });
  /** Lets time pass, and everything happen that follows from it. */
  const pass = async (seconds: number): Promise<void> => {
    await settle();
    clock.advance(seconds);
    await settle();
  };
  return {
    pool,
    connections,
    pass,
    openLate: () => {
      late.resolve(null);
    },
  };
}

const settle = () => new Promise<void>(atEndOfTurn);
const lockTimeout = () =>
  new Unavailable(
    "database",
    "canceling statement due to lock timeout",
    Object.assign(new pg.DatabaseError("canceling statement due to lock timeout", 0, "error"), {
      code: "55P03",
    }),
  );

describe("the statement pool", () => {
  it("uses its regular connections in turn while none is blocked", async () => {
    const { pool, connections, pass } = setUp();
    for (const name of ["a", "b", "c", "d"]) void pool.query(read(name));
    await pass(0.2);
    expect(connections.map((connection) => connection.names())).toEqual([
      ["a", "c"],
      ["b", "d"],
    ]);
  });

  it("sends nothing more to a connection that has worked on one statement for 250 ms", async () => {
    const { pool, connections, pass } = setUp();
    void pool.query(write("blocked"));
    await pass(0.25);
    for (const name of ["a", "b", "c"]) void pool.query(read(name));
    await pass(0);
    expect(connections.map((connection) => connection.names())).toEqual([
      ["blocked"],
      ["a", "b", "c"],
    ]);
  });

  it("does not treat a connection as blocked that answers its statements in turn", async () => {
    const { pool, connections, pass } = setUp({ size: 1 });
    for (const name of ["a", "b", "c"]) void pool.query(read(name));
    await pass(0.2);
    connections[0]?.sent[0]?.answer([]);
    await pass(0.2);
    void pool.query(read("d"));
    await pass(0);
    expect(connections.map((connection) => connection.names())).toEqual([["a", "b", "c", "d"]]);
  });

  it("sends statements on a new connection when one has not opened within 3 s, and closes that one", async () => {
    const { pool, connections, pass, openLate } = setUp({ size: 1, silentAttempts: 1 });
    const asked = pool.query(write("a"));
    await pass(2.9);
    expect(connections).toHaveLength(1);
    await pass(0.1);
    expect(connections.map((connection) => connection.names())).toEqual([[], ["a"]]);
    connections[1]?.sent[0]?.answer(["here"]);
    expect(await asked).toEqual(["here"]);
    openLate();
    await pass(0);
    expect(connections.map((connection) => connection.hasEnded)).toEqual([true, false]);
  });

  it("rejects a statement that no connection opened for within 10 s", async () => {
    const { pool, connections, pass } = setUp({ size: 1, silentAttempts: 10 });
    const asked = expect(pool.query(read("a"))).rejects.toThrow("database: no connection");
    for (let attempt = 0; attempt < 4; attempt += 1) await pass(3);
    await asked;
    expect(connections).toHaveLength(4);
  });

  it("opens an extra connection when all regular ones are blocked, and closes it afterwards", async () => {
    const { pool, connections, pass } = setUp({ size: 1 });
    void pool.query(write("blocked"));
    await pass(0.25);
    const other = pool.query(read("other"));
    await pass(0);
    connections[1]?.sent[0]?.answer(["here"]);
    expect(await other).toEqual(["here"]);
    await pass(0.25);
    expect(connections[1]?.hasEnded).toBe(false);
    connections[0]?.sent[0]?.answer([]);
    await pass(0.25);
    expect(connections.map((connection) => connection.hasEnded)).toEqual([false, true]);
  });

  it("sends reads caught behind a blocked statement again on another connection", async () => {
    const { pool, connections, pass } = setUp({ size: 1 });
    void pool.query(write("blocked"));
    const caught = pool.query(read("caught"));
    void pool.query(write("caught write"));
    void pool.query(read("blocked"));
    await pass(0.25);
    expect(connections.map((connection) => connection.names())).toEqual([
      ["blocked", "caught", "caught write", "blocked"],
      ["caught"],
    ]);
    connections[0]?.sent[1]?.fail(lockTimeout());
    connections[1]?.sent[0]?.answer(["here"]);
    expect(await caught).toEqual(["here"]);
  });

  it("lets one statement block two connections, and one once half of all are blocked", async () => {
    const { pool, connections, pass } = setUp({ size: 2, extraMax: 4 });
    const ask = async (name: string): Promise<void> => {
      void pool.query(write(name)).catch(() => undefined);
      await pass(0.25);
    };
    for (const name of ["a", "a", "a", "b", "b", "c", "c", "d"]) await ask(name);
    expect(connections.map((connection) => connection.names())).toEqual([
      ["a"],
      ["a"],
      ["b"],
      ["c"],
      ["d"],
    ]);
  });

  it("fails statements that wait for a blocked one of their name as soon as that fails on its lock", async () => {
    const { pool, connections, pass } = setUp({ size: 2, extraMax: 1 });
    const blocked = [pool.query(write("a")), pool.query(write("a"))];
    await pass(0.25);
    const waiting = [pool.query(write("a")), pool.query(write("a"))];
    await pass(1);
    connections[0]?.sent[0]?.fail(lockTimeout());
    const outcomes = await Promise.allSettled([blocked[0], ...waiting]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(connections.map((connection) => connection.names())).toEqual([["a"], ["a"]]);
    connections[1]?.sent[0]?.answer([]);
    await blocked[1];
  });

  it("sends statements that wait once a connection is free, and gives up after its patience", async () => {
    const { pool, connections, pass } = setUp({ size: 1, extraMax: 0 });
    const blocked = pool.query(write("a"));
    await pass(0.25);
    const early = pool.query(read("early"));
    await pass(6);
    const late = pool.query(read("late"));
    const gaveUp = expect(early).rejects.toThrow(Unavailable);
    for (let turn = 0; turn < 16; turn += 1) await pass(0.25);
    await gaveUp;
    connections[0]?.sent[0]?.answer([]);
    await blocked;
    await pass(0);
    expect(connections[0]?.names()).toEqual(["a", "late"]);
    connections[0]?.sent[1]?.answer(["here"]);
    expect(await late).toEqual(["here"]);
  });

  it("replaces a connection that became unusable", async () => {
    const { pool, connections, pass } = setUp({ size: 1 });
    const broken = pool.query(read("a"));
    await pass(0);
    connections[0]?.onUnusable();
    connections[0]?.sent[0]?.fail(new Unavailable("database", "Connection terminated"));
    await expect(broken).rejects.toThrow(Unavailable);
    void pool.query(read("b"));
    await pass(0);
    expect(connections.map((connection) => connection.names())).toEqual([["a"], ["b"]]);
  });

  it("rejects statements that were not sent when it is closed", async () => {
    const { pool, connections, pass } = setUp({ size: 1, extraMax: 0 });
    void pool.query(write("a"));
    await pass(0.25);
    const waiting = expect(pool.query(read("b"))).rejects.toThrow(Unavailable);
    await pool.close();
    await waiting;
    expect(connections[0]?.hasEnded).toBe(true);
    expect(() => pool.query(read("c"))).toThrow("closed");
  });
});
