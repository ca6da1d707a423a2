import { divide } from "../../platform/kernel/rounding.ts";
import { type TransferRecord, unrefundedPart } from "../transfers/transfer.ts";

/** What of a waiting payment matters for keeping a part of it: its amount, and its worth in the wallet's currency. */
export type WaitingPayment = Pick<TransferRecord, "id" | "units" | "targetUnits">;

export type PartialDecision =
  /** How much of each payment goes back, units of the payment currency; payments that stay whole are not named. */
  | { readonly kind: "split"; readonly paidBack: ReadonlyMap<string, bigint> }
  /** Nothing is left to be kept: what was asked for is there already. */
  | { readonly kind: "keepsNothing" }
  /** All of it is kept. */
  | { readonly kind: "keepsAll" };

/** How much is still missing of what was asked for, units of the wallet's currency; null where nothing was asked for. */
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
 * Divides money that waits: `keepUnits` of the wallet's currency stay, the rest goes back. Each payment gives its share by its
 * worth. What stays of a payment is rounded up to a unit of its currency, so the merchant keeps no less than was said.
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
    // A payment worth nothing could give nothing for it.
    const keptSource = targetUnits === 0n ? units : divide(units * kept, targetUnits, "up");
    if (keptSource < units) paidBack.set(id, units - keptSource);
  }
  return paidBack.size === 0 ? { kind: "keepsAll" } : { kind: "split", paidBack };
}
