import { divide } from "../../platform/kernel/rounding.ts";
import { type TransferRecord, unrefundedPart } from "../transfers/transfer.ts";

/** The part of a payment on hold that matters for a partial acceptance: its amount, and its value in the wallet's currency. */
export type WaitingPayment = Pick<TransferRecord, "id" | "units" | "targetUnits">;

export type PartialDecision =
  /** The refunded units of each payment, in the payment currency; fully kept payments are absent. */
  | { readonly kind: "split"; readonly paidBack: ReadonlyMap<string, bigint> }
  /** Nothing is kept, because the requested amount was already received. */
  | { readonly kind: "keepsNothing" }
  /** All of it is kept. */
  | { readonly kind: "keepsAll" };

/** The missing part of the requested amount, in units of the wallet's currency; null without a requested amount. */
export function missingUnits(
  requested: bigint | null,
  payments: readonly TransferRecord[],
): bigint | null {
  if (requested === null) return null;
  const counted = payments.filter(
    ({ disposition, isConfirmed }) =>
      disposition === "credited" || (disposition === "pending" && isConfirmed),
  );
  const kept = counted.reduce((sum, payment) => sum + unrefundedPart(payment).targetUnits, 0n);
  return requested > kept ? requested - kept : 0n;
}

/**
 * Splits funds on hold: `keepUnits` of the wallet's currency are kept, the rest is refunded. Each payment contributes in
 * proportion to its value. The kept part of a payment is rounded up to a unit of its currency, so the merchant keeps at least the
 * chosen amount.
 */
export function decidePartial(
  waiting: readonly WaitingPayment[],
  keepUnits: bigint,
): PartialDecision {
  const total = waiting.reduce((sum, { targetUnits }) => sum + targetUnits, 0n);
  if (keepUnits <= 0n) return { kind: "keepsNothing" };
  if (keepUnits >= total) return { kind: "keepsAll" };
  const paidBack = new Map<string, bigint>();
  let worthBefore = 0n;
  let keptBefore = 0n;
  for (const { id, units, targetUnits } of waiting) {
    worthBefore += targetUnits;
    const keptSoFar = divide(keepUnits * worthBefore, total, "up");
    const kept = keptSoFar - keptBefore;
    keptBefore = keptSoFar;
    // A payment without value contributes nothing.
    const keptSource = targetUnits === 0n ? units : divide(units * kept, targetUnits, "up");
    if (keptSource < units) paidBack.set(id, units - keptSource);
  }
  return paidBack.size === 0 ? { kind: "keepsAll" } : { kind: "split", paidBack };
}
