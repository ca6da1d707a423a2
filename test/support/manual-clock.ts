import { present } from "../../src/platform/kernel/assert.ts";
import {
  addSeconds,
  type Clock,
  type Instant,
  microsPerSecond,
} from "../../src/platform/kernel/clock.ts";
import { parseTimestamp } from "../../src/platform/kernel/timestamp.ts";

export type ManualClock = Clock & { readonly advance: (seconds: number) => void };

/** A clock that is stopped until it is advanced; a sleeper wakes when its time is reached. */
export function manualClock(start = "2026-01-02T03:04:05.678901Z"): ManualClock {
  let now: Instant = present(parseTimestamp(start), `the time ${start}`);
  const sleepers = new Set<{ readonly until: Instant; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (delayMs, signal) =>
      new Promise((resolve) => {
        const until = (now + Math.round((delayMs * microsPerSecond) / 1000)) as Instant;
        const sleeper = {
          until,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        if (signal?.aborted === true || delayMs <= 0) {
          resolve();
          return;
        }
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake, { once: true });
      }),
    advance: (seconds) => {
      now = addSeconds(now, seconds);
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake();
    },
  };
}
