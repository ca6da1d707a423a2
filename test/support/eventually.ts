import { systemClock } from "../../src/platform/kernel/system-clock.ts";

/** Asks again until the answer satisfies, and returns it; after `seconds` it fails and shows the last answer. */
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
