import { stat } from "node:fs/promises";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

const pollMs = 2;

/**
 * Resolves when a signer has recorded a transaction that it signed in its journal, before anyone else has it. False after `patienceMs`
 * without one.
 */
export async function untilSigned(
  journals: readonly string[],
  patienceMs: number,
): Promise<boolean> {
  const sizes = (): Promise<string> => Promise.all(journals.map(sizeOf)).then(String);
  const before = await sizes();
  const giveUpAt = systemClock.now() + patienceMs * 1_000;
  while (systemClock.now() < giveUpAt) {
    if ((await sizes()) !== before) return true;
    await systemClock.sleep(pollMs);
  }
  return false;
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
