import { errorMessage } from "../platform/kernel/error-message.ts";
import type { World } from "../platform/kernel/world.ts";

/**
 * Makes a block of a simulated ledger at each interval until `signal` aborts. A failure is logged as a block that was not made, and the
 * next one follows in its turn.
 */
export async function makeBlocksOnTime(
  makeBlock: () => Promise<unknown>,
  intervalMs: number,
  { clock, logger }: Pick<World, "clock" | "logger">,
  signal: AbortSignal,
): Promise<void> {
  const isStopped = (): boolean => signal.aborted;
  while (!isStopped()) {
    await clock.sleep(intervalMs, signal);
    if (isStopped()) return;
    try {
      await makeBlock();
    } catch (error) {
      logger.warn("no block was made", { error: errorMessage(error) });
    }
  }
}
