import type { Clock, Instant } from "./clock.ts";

/** The machine's clock and timers. Constructed in `main`, handed to everything else. */
export const systemClock: Clock = {
  now: () => Math.round((performance.timeOrigin + performance.now()) * 1000) as Instant,
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
