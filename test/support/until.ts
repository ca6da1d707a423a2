import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { ManualClock } from "./manual-clock.ts";

const patienceSeconds = 100;

/**
 * Lets simulated time pass, `stepSeconds` at a time with real work in between, until the condition holds. While `isBusy` says
 * that real work is under way, time stands still: on a slow machine no lease runs out under a statement that takes long.
 */
export async function until(
  clock: ManualClock,
  stepSeconds: number,
  holds: () => boolean | Promise<boolean>,
  isBusy: () => boolean = () => false,
): Promise<void> {
  const giveUpAt = systemClock.now() + patienceSeconds * 1_000_000;
  while (systemClock.now() < giveUpAt) {
    if (await holds()) return;
    await systemClock.sleep(2);
    if (!isBusy()) clock.advance(stepSeconds);
  }
  throw new Error("what was waited for did not happen");
}
