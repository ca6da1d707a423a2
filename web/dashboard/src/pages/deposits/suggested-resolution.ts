import { isPositive, subtractDecimals } from "../../components/decimals.ts";
import type { HoldCause } from "../../language/message-text.ts";

export type Resolution = "accept" | "refund" | "partial";

/**
 * Amounts in the wallet's currency: the funds on hold, null without a price for them, and the missing part of the requested amount. An
 * API of the former version leaves both out. `causes`: why the payments are on hold, null if that is unknown.
 */
export type OnHold = {
  readonly held?: string | null | undefined;
  readonly missing?: string | null | undefined;
  readonly tolerance: string | null;
  readonly causes: readonly HoldCause[] | null;
};

/**
 * The resolution that the dialog starts with. Of the funds on hold, only what is still missing of the requested amount is the merchant's:
 * what was kept before counts, what was refunded does not. Nothing is missing of a deposit that was Paid before a second payment: the
 * account's tolerance and the least payable amount, which the API does not tell, may have covered the rest. Where nothing says whose the
 * money is, the merchant chooses.
 */
export function suggestedResolution({
  held,
  missing,
  tolerance,
  causes,
}: OnHold): Resolution | null {
  if (missing == null || causes === null) return null;
  if (causes.includes("second payment")) return "refund";
  if (!exceeds(missing, tolerance ?? "0")) return "refund";
  if (held == null) return null;
  return exceeds(held, missing) ? "partial" : "accept";
}

function exceeds(amount: string, other: string): boolean {
  const excess = subtractDecimals(amount, other);
  return excess !== null && isPositive(excess);
}
