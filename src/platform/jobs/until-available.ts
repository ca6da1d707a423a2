import type { Clock } from "../kernel/clock.ts";
import { Unavailable } from "../kernel/unavailable.ts";

const pauseMs = 200;

/**
 * Repeats the work until no external part was unavailable, for steps that must be done before anything else: a process that
 * starts while the database restarts must not end. Stops without having done it when `signal` aborts. Rejects with any other error.
 */
export async function untilAvailable(
  { clock }: { readonly clock: Clock },
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}
