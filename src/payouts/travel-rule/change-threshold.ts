import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import {
  deleteThreshold,
  lockThresholds,
  readStoredThreshold,
  saveThreshold,
} from "./threshold.store.ts";

/** Lets one transaction at a time change thresholds; payouts still read them. Call it after locking the account. */
export function awaitTurnOfThresholds(tx: Executor): Promise<void> {
  return lockThresholds(tx);
}

/** The threshold that an operator set for a currency, in its units; null if none did. */
export function findThreshold(tx: Executor, currency: string): Promise<bigint | null> {
  return readStoredThreshold(tx, currency);
}

/** Sets a currency's threshold in its units; null removes it. */
export async function changeThreshold(
  tx: Executor,
  currency: string,
  units: bigint | null,
  now: Instant,
): Promise<void> {
  if (units === null) await deleteThreshold(tx, currency);
  else await saveThreshold(tx, currency, units, now);
}
