import type { Deposit } from "../deposit.ts";
import { isRefundedInFull, type TransferRecord } from "../transfers/transfer.ts";
import { isBlocked } from "./decide-transfer.ts";

/** Received and not refunded: units of the wallet's currency (target) and of the payment currency (source). */
export type Received = {
  readonly target: bigint;
  readonly targetPending: bigint;
  readonly source: bigint;
  readonly sourcePending: bigint;
  /** Units of the payment currency that were refunded of payments whose rest was kept. */
  readonly sourceRefunded: bigint;
};

/** A deposit's sums without full refunds; `transfers` contains at least the refunded ones. */
export function receivedOf(
  { sums }: Pick<Deposit, "sums">,
  transfers: readonly TransferRecord[],
): Received {
  const returned = transfers.filter(
    (transfer) =>
      isRefundedInFull(transfer) &&
      !transfer.isCancelled &&
      !isBlocked(transfer) &&
      transfer.disposition !== "dust" &&
      transfer.disposition !== "misplaced",
  );
  const sum = (isConfirmed: boolean, units: "units" | "targetUnits"): bigint =>
    returned
      .filter((transfer) => transfer.isConfirmed === isConfirmed)
      .reduce((total, transfer) => total + transfer[units], 0n);
  const parts = transfers.filter(
    (transfer) => !isRefundedInFull(transfer) && !transfer.isCancelled && !isBlocked(transfer),
  );
  return {
    sourceRefunded: parts.reduce((total, { refund }) => total + (refund?.units ?? 0n), 0n),
    target: sums.targetPaid - sum(true, "targetUnits"),
    targetPending: sums.targetPaidPending - sum(false, "targetUnits"),
    source: sums.sourcePaid - sum(true, "units"),
    sourcePending: sums.sourcePaidPending - sum(false, "units"),
  };
}
