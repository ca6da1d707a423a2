import { describe, expect, it } from "vitest";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { supervise } from "./supervise.ts";

/** A part that exits unexpectedly is restarted; one that is stopped is not. */

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

function startedParts(failures = 0) {
  const ends: (() => void)[] = [];
  let starts = 0;
  const start = () => {
    starts += 1;
    if (starts > 1 && starts <= 1 + failures) return Promise.reject(new Error("no"));
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    ends.push(end);
    return Promise.resolve({
      ended,
      stop: () => {
        end();
        return Promise.resolve();
      },
    });
  };
  return { start, ends, count: () => starts };
}

describe("a supervised part", () => {
  it("restarts a killed process, also when the first restart fails", async () => {
    const parts = startedParts(1);
    const kept = await supervise("node", parts.start, world);
    parts.ends[0]?.();
    await expect.poll(parts.count).toBe(3);
    await kept.stop();
    await expect(kept.failed).resolves.toBe("node was stopped");
    expect(parts.count()).toBe(3);
  });

  it("leaves a stopped process stopped", async () => {
    const parts = startedParts();
    const kept = await supervise("node", parts.start, world);
    await kept.stop();
    expect(parts.count()).toBe(1);
  });
});
