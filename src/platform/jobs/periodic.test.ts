import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { until } from "../../../test/support/until.ts";
import { type Instant, secondsBetween } from "../kernel/clock.ts";
import { type LogFields, silentLogger } from "../kernel/logger.ts";
import { systemRandom } from "../kernel/system-random.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { acquireLease } from "./lease.ts";
import { type JobContext, type PeriodicJob, runPeriodically } from "./periodic.ts";

const { db } = useDatabase();

/** A database that reports whether statements are in flight: simulated time passes only while none are. */
function countedDatabase(isAway: () => boolean) {
  let inFlight = 0;
  const query: typeof db.query = async (...args) => {
    inFlight += 1;
    try {
      if (isAway()) throw new Error("no answer");
      return await db.query(...args);
    } finally {
      inFlight -= 1;
    }
  };
  return { counted: { ...db, query }, isBusy: () => inFlight > 0 };
}

function setUp(given: Partial<JobContext> = {}) {
  const clock = manualClock();
  const stop = new AbortController();
  const lines: string[] = [];
  const note = (message: string, fields?: LogFields) =>
    void lines.push(`${message}: ${String(fields?.["job"])}`);
  const logger = { ...silentLogger, info: note, warn: note, error: note };
  const outage = { isOn: false };
  const { counted, isBusy } = countedDatabase(() => outage.isOn);
  const context = { db: counted, clock, random: systemRandom, logger, holder: "first", ...given };
  const start = (job: PeriodicJob, holder = "first", signal = stop.signal): Promise<void> =>
    runPeriodically({ ...context, holder }, job, signal);
  const passUntil = (stepSeconds: number, holds: () => boolean | Promise<boolean>) =>
    until(clock, stepSeconds, holds, isBusy);
  return { clock, stop, lines, outage, start, passUntil };
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
    expect(lines).toEqual(["job failed: at its pace", "job works again: at its pace"]);
    for (let index = 1; index < runs.length; index += 1) {
      const gap = ((runs[index] ?? 0) - (runs[index - 1] ?? 0)) / 1_000_000;
      expect(gap).toBeGreaterThanOrEqual(9);
    }
  });

  it("runs again within seconds after the database was away", async () => {
    const { clock, stop, start, passUntil } = setUp();
    const runs: number[] = [];
    const done = start({
      name: "needs the database",
      everyMs: 30_000,
      leaseMs: 60_000,
      run: () => {
        runs.push(clock.now());
        return runs.length === 2
          ? Promise.reject(new Unavailable("database", "no connection"))
          : Promise.resolve();
      },
    });
    await passUntil(0.5, () => runs.length === 4);
    stop.abort();
    await done;
    const gaps = runs.slice(1).map((at, index) => (at - (runs[index] ?? 0)) / 1_000_000);
    const [before, away, after] = gaps;
    expect(before).toBeGreaterThanOrEqual(27);
    expect(away).toBeLessThan(4);
    expect(after).toBeGreaterThanOrEqual(27);
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
    const name = "needs a part outside";
    expect(lines).toEqual([`job failed: ${name}`, `job works again: ${name}`]);
  });

  it("runs in one of several processes, and in another once that one stops", async () => {
    const { clock, stop, start, passUntil } = setUp();
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
    const stoppedAt = clock.now();
    await passUntil(0.5, () => runs.includes("second"));
    // Once the other one asks for the lease again, not when it would have expired.
    expect(secondsBetween(stoppedAt, clock.now())).toBeLessThan(7);
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
    const { clock, stop, lines, start, passUntil } = setUp();
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
    expect(lines).toEqual(["another process took the job over: taken"]);
  });

  it.each([
    [0, 9],
    [0.5, 10],
    [1, 11],
  ])(
    "varies its interval by a tenth: at %d of the range, 10 are %d seconds",
    async (fraction, seconds) => {
      const { clock, stop, start, passUntil } = setUp({
        random: { ...systemRandom, fraction: () => fraction },
      });
      const runs: Instant[] = [];
      const run = () => Promise.resolve(void runs.push(clock.now()));
      const done = start({ name: `varies ${fraction}`, everyMs: 10_000, leaseMs: 60_000, run });
      await passUntil(0.25, () => runs.length === 2);
      stop.abort();
      await done;
      expect(secondsBetween(runs[0]!, runs[1]!)).toBe(seconds);
    },
  );

  it("is taken over within half a lease after the lease of a process that died", async () => {
    const { clock, stop, start, passUntil } = setUp();
    const name = "left by the dead";
    await acquireLease({ db, clock, holder: "dead" }, name, 10_000);
    const diedAt = clock.now();
    let hasRun = false;
    const run = () => Promise.resolve(void (hasRun = true));
    const done = start({ name, everyMs: 60_000, leaseMs: 10_000, run });
    await passUntil(0.25, () => hasRun);
    expect(secondsBetween(diedAt, clock.now())).toBeLessThan(16);
    stop.abort();
    await done;
  });

  it("logs an outage of the database once, and its end, whether it waits for its lease or holds it", async () => {
    const { clock, stop, lines, outage, start, passUntil } = setUp();
    const name = "without a database";
    let runs = 0;
    const run = () => Promise.resolve(void (runs += 1));
    outage.isOn = true;
    const done = start({ name, everyMs: 1_000, leaseMs: 9_000, run });
    const passSeconds = (seconds: number) => {
      const until = clock.now() + seconds * 1_000_000;
      return passUntil(0.5, () => clock.now() >= until);
    };
    const told = [`lease request failed: ${name}`, `lease requests work again: ${name}`];
    await passSeconds(10);
    expect(lines).toEqual(told.slice(0, 1));
    outage.isOn = false;
    await passUntil(0.5, () => runs > 2);
    expect(lines).toEqual(told);

    outage.isOn = true;
    await passSeconds(7);
    expect(lines).toEqual([...told, ...told.slice(0, 1)]);
    outage.isOn = false;
    await passUntil(0.5, () => lines.length === 4);
    expect(lines).toEqual([...told, ...told]);
    stop.abort();
    await done;
  });

  it("reports each run with its duration and whether it failed, and no failure when it is stopped", async () => {
    const reports: object[] = [];
    const { clock, stop, lines, start, passUntil } = setUp({
      onRun: (report) => {
        reports.push(report);
        // Metrics that fail do not stop the job.
        if (reports.length === 1) throw new Error("no metrics");
      },
    });
    const name = "measured";
    let begun = 0;
    const run = async (signal: AbortSignal) => {
      begun += 1;
      await clock.sleep(1_500, signal);
      if (signal.aborted || reports.length === 1) throw new Error("broken");
    };
    const done = start({ name, everyMs: 1_000, leaseMs: 6_000, run });
    await passUntil(0.5, () => begun === 4);
    stop.abort();
    await done;
    expect(reports.slice(0, 3)).toEqual(
      [false, true, false].map((failed) => ({ name, durationMs: 1_500, failed })),
    );
    expect(reports.slice(3)).toMatchObject([{ name, failed: false }]);
    expect(lines.filter((line) => line.startsWith("job "))).toEqual([
      `job failed: ${name}`,
      `job works again: ${name}`,
    ]);
  });
});

const anyLease = { name: "test.any-lease", text: "select name from job_lease where name = $1" };
const takeOver = {
  name: "test.take-over",
  text: "update job_lease set fence = fence + 1 where name = $1",
};
