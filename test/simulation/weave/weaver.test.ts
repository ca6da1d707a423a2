import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, statement } from "../../../src/platform/db/database.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { useDatabase } from "../../support/database.ts";
import { lockWaitsOf } from "./lock-waits.ts";
import { describeSteps, fixedSchedule, type Switch } from "./schedule.ts";
import { createWeaver } from "./weaver.ts";
import { connectPrograms, type ProgramDatabase } from "./woven-database.ts";

/* Two programs on one table of counters, in exactly the order that a schedule gives. */

const database = useDatabase();
let databases: ReadonlyMap<"one" | "other", ProgramDatabase> = new Map();
beforeAll(async () => {
  await database.sql("create table counter (name text primary key, value int not null)");
  databases = await connectPrograms(database, ["one", "other"]);
});
beforeEach(async () => {
  await database.sql("delete from counter");
  await database.sql("insert into counter values ('a', 0), ('b', 0)");
});
afterAll(() => Promise.all([...databases.values()].map(({ close }) => close())));

type Counter = { readonly value: number };

const read = statement<Counter>("counter.read", "select value from counter where name = 'a'");
const readLocked = statement<Counter>(
  "counter.read-locked",
  "select value from counter where name = 'a' for update",
);
const write = statement<never>("counter.write", "update counter set value = $1 where name = 'a'");
const increase = {
  a: statement<never>("counter.a", "update counter set value = value + 1 where name = 'a'"),
  b: statement<never>("counter.b", "update counter set value = value + 1 where name = 'b'"),
};

/** Runs both programs with these switches; resolves with what they did and the counters' values. */
async function weave(
  work: Readonly<Record<"one" | "other", (db: Database) => Promise<void>>>,
  switches: readonly Switch[],
) {
  const weaver = createWeaver(lockWaitsOf(database));
  for (const [name, { db, pauseFor }] of databases) {
    pauseFor(weaver);
    weaver.start(name, () => work[name](db));
  }
  await weaver.run(fixedSchedule(switches));
  const rows = await database.sql<{ value: number }>("select value from counter order by name");
  return { steps: describeSteps(weaver.steps), values: rows.map(({ value }) => value) };
}

/** Reads a counter and writes it back, one higher. */
const increment = (reading: typeof read) => (db: Database) =>
  db.transaction(async (tx) => {
    const [row] = await tx.query(reading);
    await tx.query(write, [present(row, "a counter").value + 1]);
  });

/** Increases two counters, in this order. */
const increaseBoth = (first: "a" | "b", second: "a" | "b") => (db: Database) =>
  db.transaction(async (tx) => {
    for (const name of [first, second]) await tx.query(increase[name]);
  });

const afterRead: readonly Switch[] = [{ program: "one", at: 3, to: "other" }];

describe("a weaver", () => {
  it("runs one program after the other without a switch", async () => {
    const both = { one: increment(read), other: increment(read) };
    expect(await weave(both, [])).toEqual({
      steps:
        "one: begin, counter.read, counter.write, commit\nother: begin, counter.read, counter.write, commit",
      values: [2, 0],
    });
  });

  it("shows a lost update at the switch that loses it", async () => {
    expect(await weave({ one: increment(read), other: increment(read) }, afterRead)).toEqual({
      steps: [
        "one: begin, counter.read",
        "other: begin, counter.read, counter.write, commit",
        "one: counter.write, commit",
      ].join("\n"),
      values: [1, 0],
    });
  });

  it("lets others go on while a program waits for a lock", async () => {
    const both = { one: increment(readLocked), other: increment(readLocked) };
    expect(await weave(both, afterRead)).toEqual({
      steps: [
        "one: begin, counter.read-locked",
        "other: begin, counter.read-locked (waits)",
        "one: counter.write, commit",
        "other: counter.write, commit",
      ].join("\n"),
      values: [2, 0],
    });
  });

  it("lets others go on between the operations of a server that a program asks", async () => {
    const weaver = createWeaver(lockWaitsOf(database));
    weaver.serve("server");
    const serve = async (): Promise<void> => {
      for (const what of ["write", "sync"])
        await weaver.outside("server", what, () => Promise.resolve());
    };
    weaver.start("one", () => weaver.ask("one", "server", "ask", serve));
    weaver.start("other", () => weaver.ask("other", "server", "ask", serve));
    const asked = { program: "server", at: 1, to: "other" };
    await weaver.run(fixedSchedule([asked]));
    expect(describeSteps(weaver.steps)).toBe(
      ["one: ask", "server: write", "other: ask", "server: sync, write, sync"].join("\n"),
    );
  });

  it("lets the product repeat the transaction whose wait completes a deadlock", async () => {
    const both = { one: increaseBoth("a", "b"), other: increaseBoth("b", "a") };
    expect(await weave(both, afterRead)).toEqual({
      steps: [
        "one: begin, counter.a",
        "other: begin, counter.b, counter.a (waits)",
        "one: counter.b (40P01), begin again, counter.a (waits)",
        "other: commit",
        "one: counter.b, commit",
      ].join("\n"),
      values: [2, 2],
    });
  });
});
