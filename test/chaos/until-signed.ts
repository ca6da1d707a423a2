import { stat } from "node:fs/promises";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

const pollMs = 2;

/**
 * Resolves when the signer has recorded a transaction that it signed, before anyone else has it. False after `patienceMs`
 * without one.
 */
export async function untilSigned(journal: string, patienceMs: number): Promise<boolean> {
  const before = await sizeOf(journal);
  const giveUpAt = systemClock.now() + patienceMs * 1_000;
  while (systemClock.now() < giveUpAt) {
    if ((await sizeOf(journal)) !== before) return true;
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
