import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { ManualClock } from "./manual-clock.ts";
import { slowest } from "./patience.ts";

const patienceSeconds = 100 * slowest;

/**
 * Advances simulated time, `stepSeconds` at a time with real work in between, until the condition holds. While `isBusy` reports
 * running work, time is stopped, so that on a slow machine no lease expires during a long statement.
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
  throw new Error("the condition never became true");
}
