import { type Clock, type Instant, secondsBetween } from "../kernel/clock.ts";
import { errorMessage } from "../kernel/error-message.ts";
import type { Logger } from "../kernel/logger.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { type Executor, statement } from "./database.ts";

const checkEveryMs = 10_000;

// The only statement that asks the database server for the time; all others take it as a parameter.
const readTime = statement<{ at: Instant }>(
  "clock-guard.read-time",
  "select clock_timestamp() as at",
);

/**
 * Compares this process's clock with the database server's, so that times written by different processes can be
 * compared. While they differ by more than the bound, the process must not work.
 */
export type ClockGuard = {
  /**
   * Compares once. Resolves with the seconds by which this process's clock is ahead (negative: behind), as far as the round trip to the
   * database does not explain them. Rejects when the database does not answer; the last verdict then remains.
   */
  readonly check: () => Promise<number>;
  /** The result of the last check, in seconds; null before the first one. */
  readonly aheadSeconds: () => number | null;
  /** Whether the last check found the clock within its bound; true before the first one. */
  readonly isWithinBound: () => boolean;
  /** Throws `Unavailable` while the clock is beyond its bound. */
  readonly assertWithinBound: () => void;
  /** Checks at intervals until `signal` aborts. */
  readonly watch: (signal: AbortSignal) => Promise<void>;
  /**
   * Runs `work` while the clock is within its bound: aborts it when the clock leaves the bound, and starts it again once the clock is back.
   * Resolves when `work` ends by itself or `signal` aborts.
   */
  readonly runWhileWithinBound: (
    work: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<void>;
};

/** `maxSkewMs`: the bound. A change of the verdict is logged. */
export function createClockGuard(context: {
  readonly db: Executor;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxSkewMs: number;
}): ClockGuard {
  const { db, clock, logger, maxSkewMs } = context;
  let ahead: number | null = null;
  /** Aborts when the clock leaves the bound, and is then replaced by one that aborts when the clock is back. */
  let change = new AbortController();

  const isWithinBound = (): boolean => ahead === null || Math.abs(ahead) * 1000 <= maxSkewMs;

  const check = async (): Promise<number> => {
    const before = clock.now();
    const [row] = await db.query(readTime);
    const after = clock.now();
    const wasWithinBound = isWithinBound();
    const found = aheadOf(row?.at ?? after, before, after);
    ahead = found;
    if (isWithinBound() === wasWithinBound) return found;
    if (wasWithinBound)
      logger.error("the clock differs from the database server's: not working", { ahead: found });
    else logger.info("the clock agrees with the database server's again", { ahead: found });
    const changed = change;
    change = new AbortController();
    changed.abort();
    return found;
  };

  return {
    check,
    aheadSeconds: () => ahead,
    isWithinBound,
    assertWithinBound: () => {
      if (!isWithinBound())
        throw new Unavailable("database", `its clock is ${String(ahead)} seconds behind ours`);
    },
    watch: async (signal) => {
      while (!signal.aborted) {
        await check().catch((error: unknown) => {
          logger.debug("the clock was not checked", { error: errorMessage(error) });
        });
        await clock.sleep(checkEveryMs, signal);
      }
    },
    runWhileWithinBound: async (work, signal) => {
      while (!signal.aborted) {
        const changed = change.signal;
        const either = AbortSignal.any([signal, changed]);
        if (isWithinBound()) {
          await work(either);
          if (!either.aborted) return;
        } else {
          await aborted(either);
        }
      }
    },
  };
}

/** Zero while the server's time lies between those of question and answer, to the millisecond. */
function aheadOf(at: Instant, before: Instant, after: Instant): number {
  const seconds =
    at < before ? secondsBetween(at, before) : at > after ? secondsBetween(at, after) : 0;
  return Math.round(seconds * 1000) / 1000;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        "abort",
        () => {
          resolve();
        },
        { once: true },
      );
  });
}
