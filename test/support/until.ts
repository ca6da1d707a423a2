import { systemClock } from "../../src/kernel/system-clock.ts";
import type { ManualClock } from "./manual-clock.ts";

/** Lets simulated time pass, `stepSeconds` at a time with real work in between, until the condition holds. */
export async function until(
  clock: ManualClock,
  stepSeconds: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let steps = 0; steps < 5000; steps += 1) {
    if (await holds()) return;
    await systemClock.sleep(2);
    clock.advance(stepSeconds);
  }
  throw new Error("what was waited for did not happen");
}
