import type { Clock, Instant } from "./clock.ts";

/** The machine's clock and timers. Used in `main` and passed to everything else. */
export const systemClock: Clock = {
  now: createNow(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", finish);
        resolve();
      };
      const timer = setTimeout(finish, delayMs);
      signal?.addEventListener("abort", finish, { once: true });
    }),
};

/** With a larger difference the machine's clock was set; smaller ones come from its resolution. */
const setFromMs = 500;

/**
 * Microseconds from the steady clock, which never runs backwards; it is adjusted when the machine's clock was set, or after the
 * machine was suspended.
 */
function createNow(): () => Instant {
  let startedAtMs = performance.timeOrigin;
  return () => {
    const sinceStartMs = performance.now();
    const differenceMs = Date.now() - (startedAtMs + sinceStartMs);
    if (Math.abs(differenceMs) > setFromMs) startedAtMs += differenceMs;
    return Math.round((startedAtMs + sinceStartMs) * 1000) as Instant;
  };
}
