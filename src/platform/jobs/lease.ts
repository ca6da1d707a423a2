import type { Executor } from "../db/database.ts";
import { addSeconds, type Clock } from "../kernel/clock.ts";
import { insertLease, setLeaseExpiry } from "./lease.store.ts";

/** The right to do a job, until it runs out or is given back. */
export type Lease = {
  readonly name: string;
  /** Grows with every holder. Work that must not be done by a holder who lost the lease checks it as it commits. */
  readonly fence: string;
  /** False when somebody else has taken the lease: stop working. */
  readonly renew: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

/** Takes the lease of that name for `ttlMs` if nobody holds it, else null. */
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
