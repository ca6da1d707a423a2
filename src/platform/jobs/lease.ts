import type { Executor } from "../db/database.ts";
import { addSeconds, type Clock } from "../kernel/clock.ts";
import { insertLease, setLeaseExpiry } from "./lease.store.ts";

/** The exclusive right to do a job, until it expires or is released. */
export type Lease = {
  readonly name: string;
  /** Grows with every holder. Work that a holder without the lease must not do checks it when it commits. */
  readonly fence: string;
  /** False if another process has taken the lease: stop working. */
  readonly renew: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

/** Takes the lease for `ttlMs`; null while another process holds it. */
export async function acquireLease(
  { db, clock, holder }: { readonly db: Executor; readonly clock: Clock; readonly holder: string },
  name: string,
  ttlMs: number,
): Promise<Lease | null> {
  const fence = await insertLease(
    db,
    name,
    holder,
    addSeconds(clock.now(), ttlMs / 1000),
    clock.now(),
  );
  if (fence === null) return null;
  return {
    name,
    fence,
    renew: () => setLeaseExpiry(db, name, fence, addSeconds(clock.now(), ttlMs / 1000)),
    release: async () => {
      await setLeaseExpiry(db, name, fence, clock.now());
    },
  };
}
