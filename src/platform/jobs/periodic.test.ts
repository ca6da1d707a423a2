import { describe, expect, test } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { until } from "../../../test/support/until.ts";
import { silentLogger } from "../kernel/logger.ts";
import { systemRandom } from "../kernel/system-random.ts";
import { type PeriodicJob, runPeriodically } from "./periodic.ts";

/* A job runs again and again in one process at a time, whatever its runs do. Time is advanced by the test. */

const { db } = useDatabase();

/** The database, and whether it is at work: simulated time passes only while it is not. */
function countedDatabase() {
  let underWay = 0;
  const query: typeof db.query = async (...asked) => {
    underWay += 1;
    try {
      return await db.query(...asked);
    } finally {
      underWay -= 1;
    }
  };
  return { counted: { ...db, query }, isBusy: () => underWay > 0 };
}

function setUp() {
  const clock = manualClock();
  const stop = new AbortController();
  const lines: string[] = [];
  const note = (message: string) => void lines.push(message);
  const logger = { ...silentLogger, info: note, warn: note, error: note };
  const { counted, isBusy } = countedDatabase();
  const context = { db: counted, clock, random: systemRandom, logger, holder: "first" };
  const start = (job: PeriodicJob, holder = "first", signal = stop.signal): Promise<void> =>
    runPeriodically({ ...context, holder }, job, signal);
  const passUntil = (stepSeconds: number, holds: () => boolean | Promise<boolean>) =>
    until(clock, stepSeconds, holds, isBusy);
  return { clock, stop, lines, start, passUntil };
}

describe("a periodic job", () => {
  test("runs at its pace, also after a run that failed, and stops at once", async () => {
    const { clock, stop, lines, start, passUntil } = setUp();
    const runs: number[] = [];
    const done = start({
      name: "at its pace",
      everyMs: 10_000,
      leaseMs: 60_000,
      run: () => {
        runs.push(clock.now());
        return runs.length === 2 ? Promise.reject(new Error("broken")) : Promise.resolve();
      },
    });
    await passUntil(0.5, () => runs.length === 5);
    stop.abort();
    await done;
    expect(lines).toEqual(["job failed", "job works again"]);
    for (let index = 1; index < runs.length; index += 1) {
      const gap = ((runs[index] ?? 0) - (runs[index - 1] ?? 0)) / 1_000_000;
      expect(gap).toBeGreaterThanOrEqual(9);
    }
  });

  test("that fails at each turn says so once, and once that it works again", async () => {
    const { stop, lines, start, passUntil } = setUp();
    let turns = 0;
    let isAway = true;
    const done = start({
      name: "needs a part outside",
      everyMs: 1_000,
      leaseMs: 60_000,
      run: () => {
        turns += 1;
        return isAway ? Promise.reject(new Error("no answer")) : Promise.resolve();
      },
    });
    await passUntil(0.5, () => turns === 30);
    isAway = false;
    await passUntil(0.5, () => turns === 40);
    stop.abort();
    await done;
    expect(lines).toEqual(["job failed", "job works again"]);
  });

  test("is done by one of several processes, and by another once that one stops", async () => {
    const { stop, start, passUntil } = setUp();
    const firstStops = new AbortController();
    const runs: string[] = [];
    const job = (holder: string): PeriodicJob => ({
      name: "one of several",
      everyMs: 5_000,
      leaseMs: 20_000,
      run: () => {
        runs.push(holder);
        return Promise.resolve();
      },
    });
    const first = start(job("first"), "first", firstStops.signal);
    await passUntil(0, () => runs.length === 1);
    const second = start(job("second"), "second");
    await passUntil(0.5, () => runs.length === 8);
    expect(new Set(runs)).toEqual(new Set(["first"]));
    firstStops.abort();
    await first;
    await passUntil(0.5, () => runs.includes("second"));
    stop.abort();
    await second;
  });

  test("that outlasts its lease keeps it", async () => {
    const { clock, stop, start, passUntil } = setUp();
    let running = 0;
    let most = 0;
    let finished = 0;
    const job: PeriodicJob = {
      name: "outlasts",
      everyMs: 1_000,
      leaseMs: 300_000,
      run: async (signal) => {
        running += 1;
        most = Math.max(most, running);
        await clock.sleep(600_000, signal);
        running -= 1;
        finished += 1;
      },
    };
    const both = [start(job, "first"), start(job, "second")];
    await passUntil(1, () => finished === 1);
    stop.abort();
    await Promise.all(both);
    expect(most).toBe(1);
  });

  test("is told to stop when its lease was taken", async () => {
    const { clock, stop, start, passUntil } = setUp();
    let told = false;
    const done = start({
      name: "taken",
      everyMs: 1_000,
      leaseMs: 9_000,
      run: async (signal) => {
        await clock.sleep(600_000, signal);
        told ||= signal.aborted;
      },
    });
    await passUntil(0, async () => (await db.query(anyLease, ["taken"])).length === 1);
    await db.query(takeOver, ["taken"]);
    await passUntil(0.5, () => told);
    stop.abort();
    await done;
  });
});

const anyLease = { name: "test.any-lease", text: "select name from job_lease where name = $1" };
const takeOver = {
  name: "test.take-over",
  text: "update job_lease set fence = fence + 1 where name = $1",
};
