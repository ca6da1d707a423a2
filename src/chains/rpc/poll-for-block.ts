import type { Clock } from "../../platform/kernel/clock.ts";
import type { ChainReader } from "../port.ts";

/** How late a new block may be noticed. */
const pauseMs = 1_000;

/**
 * `waitForBlock` for nodes that cannot be asked to wait: asks for the newest block's name (its hash or height; null without one) each
 * second, until it differs from the one seen last, which may have been in an earlier call.
 */
export function pollForBlock(
  clock: Clock,
  readNewest: (signal: AbortSignal) => Promise<string | number | null>,
): ChainReader["waitForBlock"] {
  let seen: string | number | null = null;
  return async (timeoutMs, signal) => {
    const isAborted = (): boolean => signal.aborted;
    for (let leftMs = timeoutMs; leftMs > 0 && !isAborted(); leftMs -= pauseMs) {
      await clock.sleep(Math.min(pauseMs, leftMs), signal);
      if (isAborted()) return;
      const newest = await readNewest(signal);
      const hasMoved = seen !== null && seen !== newest;
      seen = newest;
      if (hasMoved) return;
    }
  };
}
