import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { slowest } from "./patience.ts";

/**
 * Repeats a read until its result satisfies, and returns it. Fails after `seconds` of a machine at its usual speed (`slowest`), and
 * shows the last result.
 */
export async function eventually<Value>(
  ask: () => Value | Promise<Value>,
  satisfies: (value: Value) => boolean,
  seconds = 100,
): Promise<Value> {
  const limit = seconds * slowest;
  const giveUpAt = systemClock.now() + limit * 1_000_000;
  for (;;) {
    const value = await ask();
    if (satisfies(value)) return value;
    if (systemClock.now() > giveUpAt) {
      throw new Error(`not within ${limit} s; last: ${JSON.stringify(value)}`);
    }
    await systemClock.sleep(20);
  }
}
