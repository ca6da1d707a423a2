import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { addSeconds } from "../kernel/clock.ts";
import { silentLogger } from "../kernel/logger.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { atEndOfTurn } from "../kernel/system-turn.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { createClockGuard } from "./clock-guard.ts";
import type { Executor } from "./database.ts";

/** A guard against a server whose clock the test sets, `serverBehind` seconds behind the process's. */
function setUp() {
  const clock = manualClock();
  const server = { serverBehind: 0, answerSeconds: 0, isAway: false };
  const lines: string[] = [];
  const db: Executor = {
    query: () => {
      if (server.isAway) return Promise.reject(new Unavailable("database", "no connection"));
      const at = addSeconds(clock.now(), -server.serverBehind + server.answerSeconds / 2);
      clock.advance(server.answerSeconds);
      return Promise.resolve([{ at }] as never);
    },
  };
  const note = (message: string) => void lines.push(message);
  const logger = { ...silentLogger, error: note, info: note };
  return { clock, server, lines, guard: createClockGuard({ db, clock, logger, maxSkewMs: 2_000 }) };
}

const settle = () => new Promise<void>(atEndOfTurn);

describe("the clock guard", () => {
  it("lets the process work while its clock is within the bound, in both directions", async () => {
    const { server, guard } = setUp();
    expect(guard.isWithinBound()).toBe(true);
    for (const serverBehind of [0, 2, -2]) {
      server.serverBehind = serverBehind;
      expect(await guard.check()).toBe(serverBehind);
      expect(guard.assertWithinBound).not.toThrow();
    }
  });

  it("refuses work beyond the bound, and permits it again once the clocks agree", async () => {
    const { server, guard, lines } = setUp();
    for (const serverBehind of [2.001, -2.001]) {
      server.serverBehind = serverBehind;
      await guard.check();
      expect(guard.assertWithinBound).toThrow(Unavailable);
    }
    server.serverBehind = 0;
    await guard.check();
    expect(guard.isWithinBound()).toBe(true);
    expect(lines).toEqual([
      "the clock differs from the database server's: not working",
      "the clock agrees with the database server's again",
    ]);
  });

  it("does not count the round trip to a slow database as a difference", async () => {
    const { server, guard } = setUp();
    server.answerSeconds = 20;
    expect(await guard.check()).toBe(0);
    server.serverBehind = 11;
    expect(await guard.check()).toBe(1);
  });

  it("keeps its last verdict while the database does not answer", async () => {
    const { server, guard } = setUp();
    server.serverBehind = 5;
    await guard.check();
    server.isAway = true;
    await expect(guard.check()).rejects.toThrow(Unavailable);
    expect([guard.isWithinBound(), guard.aheadSeconds()]).toEqual([false, 5]);
  });

  it("checks at intervals until it is stopped", async () => {
    const { clock, server, guard } = setUp();
    const stop = new AbortController();
    const watching = guard.watch(stop.signal);
    await settle();
    server.serverBehind = 3;
    clock.advance(10);
    await settle();
    expect(guard.aheadSeconds()).toBe(3);
    stop.abort();
    await watching;
  });

  it("stops work when the clock leaves the bound, and starts it again afterwards", async () => {
    const { server, guard } = setUp();
    const stop = new AbortController();
    const runs: AbortSignal[] = [];
    const running = guard.runWhileWithinBound(async (signal) => {
      runs.push(signal);
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
    }, stop.signal);
    server.serverBehind = 3;
    await guard.check();
    await settle();
    expect(runs.map(({ aborted }) => aborted)).toEqual([true]);
    server.serverBehind = 0;
    await guard.check();
    await settle();
    expect(runs.map(({ aborted }) => aborted)).toEqual([true, false]);
    stop.abort();
    await running;
  });

  const { db } = useDatabase();

  it("finds the machine's own clock equal to that of a database on the same machine", async () => {
    const logger = silentLogger;
    const guard = createClockGuard({ db, clock: systemClock, logger, maxSkewMs: 100 });
    expect(await guard.check()).toBe(0);
  });
});
