import type { Instant } from "../kernel/clock.ts";
import type { TransferRecord } from "../transfers/transfer.ts";

/** When a user acts: on what is on record, so not before any of it, also where the clock of who recorded it runs ahead of ours. */
export function instantAfter(transfers: readonly TransferRecord[], now: Instant): Instant {
  return transfers.reduce<Instant>((latest, { firstSeenAt, confirmedAt }) => {
    const at = confirmedAt === null || confirmedAt < firstSeenAt ? firstSeenAt : confirmedAt;
    return at > latest ? at : latest;
  }, now);
}
