/** Makes and drops partitions of attempts as a worker does, with other workers at work and after interruptions. */
import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { silentLogger } from "../kernel/logger.ts";
import { decidePartitions, type KeptTable, keepPartitions } from "./keep-partitions.ts";
import { readPartitions } from "./partition.store.ts";

const { db, sql } = useDatabase();
const attempts: KeptTable = {
  table: "callback_attempt",
  column: "attempted_at",
  retentionDays: null,
};
const clock = manualClock("2027-05-10T12:00:00Z");
const keep = (table = attempts, at = clock) =>
  keepPartitions({ db, clock: at, logger: silentLogger }, [table]);

async function names(): Promise<string[]> {
  return (await readPartitions(db, attempts)).map(({ name }) =>
    name.replace("callback_attempt_", ""),
  );
}

async function attempt(number: number, at: string): Promise<void> {
  await sql(
    "insert into callback_attempt (account_id, callback_id, number, attempted_at, duration_ms) values (1, 1, $1, $2, 1)",
    [number, at],
  );
}

async function where(): Promise<Record<string, string>> {
  const rows = await sql<{ number: number; name: string }>(
    "select number, tableoid::regclass::text as name from callback_attempt order by number",
  );
  return Object.fromEntries(
    rows.map(({ number, name }) => [number, name.replace("callback_attempt_", "")]),
  );
}

// As on a deployment that migrated in January: the first partition ends where March begins.
beforeEach(async () => {
  await sql("truncate callback_attempt");
  for (const { name } of await readPartitions(db, attempts)) await sql(`drop table ${name}`);
  await sql(
    "create table callback_attempt_first partition of callback_attempt for values from (minvalue) to ('2027-03-01')",
  );
  await sql("create table callback_attempt_rest partition of callback_attempt default");
});

describe("partitions", () => {
  it("exist for this month and three more before these begin", async () => {
    await keep();
    await keep();
    expect(await names()).toEqual(["2027_05", "2027_06", "2027_07", "2027_08", "first", "rest"]);
    await attempt(1, "2027-02-28T23:59:59Z");
    await attempt(2, "2027-05-01T00:00:00Z");
    await attempt(3, "2027-08-31T23:59:59.999999Z");
    expect(await where()).toEqual({ 1: "first", 2: "2027_05", 3: "2027_08" });
  });

  it("take the rows that were written before they existed", async () => {
    await attempt(1, "2027-04-15T00:00:00Z");
    await attempt(2, "2027-05-10T00:00:00Z");
    await keep();
    // No partition is made for months that are over.
    expect(await where()).toEqual({ 1: "rest", 2: "2027_05" });
  });

  it("are dropped once their newest possible row is older than the retention, and only then", async () => {
    await attempt(1, "2027-02-01T00:00:00Z");
    await attempt(2, "2027-05-10T00:00:00Z");
    await keep({ ...attempts, retentionDays: 71 });
    expect(await where()).toEqual({ 1: "first", 2: "2027_05" });
    await keep({ ...attempts, retentionDays: 70 });
    expect(await where()).toEqual({ 2: "2027_05" });
    const later = manualClock("2027-08-10T12:00:00Z");
    await keep({ ...attempts, retentionDays: 70 }, later);
    expect(await names()).toEqual([
      "2027_06",
      "2027_07",
      "2027_08",
      "2027_09",
      "2027_10",
      "2027_11",
      "rest",
    ]);
    expect(await where()).toEqual({});
  });

  it("are made and dropped once by several workers at a time", async () => {
    await attempt(1, "2027-02-01T00:00:00Z");
    await attempt(2, "2027-05-10T00:00:00Z");
    const kept = { ...attempts, retentionDays: 60 };
    const outcomes = await Promise.allSettled([keep(kept), keep(kept), keep(kept)]);
    // One that waited too long for its turn gives up; its next run finds nothing to do.
    expect(outcomes.map(({ status }) => status)).toContain("fulfilled");
    await keep(kept);
    expect(await names()).toEqual(["2027_05", "2027_06", "2027_07", "2027_08", "rest"]);
    expect(await where()).toEqual({ 2: "2027_05" });
  });

  it("remain as they were when a worker ends in the middle of a change", async () => {
    await attempt(1, "2027-05-10T00:00:00Z");
    const ended = new Error("killed");
    const failing = {
      ...db,
      transaction: (work: Parameters<typeof db.transaction>[0]) =>
        db.transaction(async (tx) => {
          await work(tx);
          throw ended;
        }),
    } as typeof db;
    await expect(
      keepPartitions({ db: failing, clock, logger: silentLogger }, [attempts]),
    ).rejects.toBe(ended);
    expect([await names(), await where()]).toEqual([["first", "rest"], { 1: "rest" }]);
    await keep();
    expect(await where()).toEqual({ 1: "2027_05" });
  });

  it("are never dropped without a retention, nor is the one for rows without a month", () => {
    const partitions = [
      { name: "first", until: clock.now() },
      { name: "rest", until: null },
    ];
    expect(decidePartitions(attempts, partitions, clock.now()).drop).toEqual([]);
    const kept = { ...attempts, retentionDays: 0 };
    expect(decidePartitions(kept, partitions, clock.now()).drop).toEqual(partitions.slice(0, 1));
  });
});
