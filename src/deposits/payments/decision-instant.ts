import type { Instant } from "../../platform/kernel/clock.ts";
import type { TransferRecord } from "../transfers/transfer.ts";

/**
 * When a user acts: on what is on record, so not before any of it, also where the clock of who recorded it runs ahead of ours. Later
 * than every undone refund: what was decided before one no longer counts for its payment.
 */
export function decisionInstant(transfers: readonly TransferRecord[], now: Instant): Instant {
  return transfers.reduce<Instant>((latest, { firstSeenAt, confirmedAt, undoneRefund }) => {
    const instants: readonly number[] = [
      latest,
      firstSeenAt,
      confirmedAt ?? firstSeenAt,
      undoneRefund === null ? firstSeenAt : undoneRefund.undoneAt + 1,
    ];
    return Math.max(...instants) as Instant;
  }, now);
}
