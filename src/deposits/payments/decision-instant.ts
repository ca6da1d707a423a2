import type { Instant } from "../../platform/kernel/clock.ts";
import type { TransferRecord } from "../transfers/transfer.ts";

/**
 * The time of a user's decision: now, but not before any recorded event of the transfers (the recording process's clock may be
 * ahead of ours), and after every undone refund, because decisions before it no longer apply to its payment.
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
