import { systemClock } from "../../src/platform/kernel/system-clock.ts";

/** Repeats a read until its result satisfies, and returns it; fails after `seconds` and shows the last result. */
export async function eventually<Value>(
  ask: () => Value | Promise<Value>,
  satisfies: (value: Value) => boolean,
  seconds = 100,
): Promise<Value> {
  const giveUpAt = systemClock.now() + seconds * 1_000_000;
  for (;;) {
    const value = await ask();
    if (satisfies(value)) return value;
    if (systemClock.now() > giveUpAt) {
      throw new Error(`not within ${seconds} s; last: ${JSON.stringify(value)}`);
    }
    await systemClock.sleep(20);
  }
}
