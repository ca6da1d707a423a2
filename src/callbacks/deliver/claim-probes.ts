import type { Database } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type ClaimedCallback, claimCallbacks, releaseCallbacks } from "./dispatch.store.ts";
import { type HostKey, takeHostProbes } from "./host-breakers.store.ts";

/**
 * Claims one callback for each half-open receiver together with its probe, so that only one dispatcher sends one callback. A
 * receiver whose callbacks all wait for older ones of their objects keeps its probe.
 */
export async function claimProbes(
  db: Database,
  hosts: readonly HostKey[],
  now: Instant,
  until: Instant,
): Promise<readonly ClaimedCallback[]> {
  if (hosts.length === 0) return [];
  return db.transaction(async (tx) => {
    const lanes = hosts.map(({ accountId, host }) => ({ accountId, host, size: 1 }));
    const callbacks = await claimCallbacks(tx, lanes, now, until);
    if (callbacks.length === 0) return [];
    const taken = await takeHostProbes(tx, callbacks, now, until);
    const isTaken = (callback: ClaimedCallback): boolean =>
      taken.some((probe) => probe.accountId === callback.accountId && probe.host === callback.host);
    const lost = callbacks.filter((callback) => !isTaken(callback));
    if (lost.length > 0) await releaseCallbacks(tx, lost);
    return callbacks.filter(isTaken);
  });
}
