import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { until } from "../../../test/support/until.ts";
import { silentLogger } from "../kernel/logger.ts";
import { systemRandom } from "../kernel/system-random.ts";
import { type PeriodicJob, runPeriodically } from "./periodic.ts";

const { db } = useDatabase();

/** A database that reports whether statements are in flight: simulated time passes only while none are. */
function countedDatabase() {
  let inFlight = 0;
  const query: typeof db.query = async (...args) => {
    inFlight += 1;
    try {
      return await db.query(...args);
    } finally {
      inFlight -= 1;
    }
  };
  return { counted: { ...db, query }, isBusy: () => inFlight > 0 };
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
  it("runs at its interval, continues after a failed run, and stops at once", async () => {
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

  it("logs repeated failures once, and its recovery once", async () => {
    const { stop, lines, start, passUntil } = setUp();
    let turns = 0;
    let isDown = true;
    const done = start({
      name: "needs a part outside",
      everyMs: 1_000,
      leaseMs: 60_000,
      run: () => {
        turns += 1;
        return isDown ? Promise.reject(new Error("no answer")) : Promise.resolve();
      },
    });
    await passUntil(0.5, () => turns === 30);
    isDown = false;
    await passUntil(0.5, () => turns === 40);
    stop.abort();
    await done;
    expect(lines).toEqual(["job failed", "job works again"]);
  });

  it("runs in one of several processes, and in another once that one stops", async () => {
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

  it("keeps its lease when a run takes longer than the lease", async () => {
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

  it("aborts its run when the lease is taken over", async () => {
    const { clock, stop, start, passUntil } = setUp();
    let wasAborted = false;
    const done = start({
      name: "taken",
      everyMs: 1_000,
      leaseMs: 9_000,
      run: async (signal) => {
        await clock.sleep(600_000, signal);
        wasAborted ||= signal.aborted;
      },
    });
    await passUntil(0, async () => (await db.query(anyLease, ["taken"])).length === 1);
    await db.query(takeOver, ["taken"]);
    await passUntil(0.5, () => wasAborted);
    stop.abort();
    await done;
  });
});

const anyLease = { name: "test.any-lease", text: "select name from job_lease where name = $1" };
const takeOver = {
  name: "test.take-over",
  text: "update job_lease set fence = fence + 1 where name = $1",
};
