import { isPositive, subtractDecimals } from "../../components/decimals.ts";

export type Resolution = "accept" | "refund" | "partial";

/** Amounts in the wallet's currency: the funds on hold, null without a price for them, and the missing part of the requested amount. */
export type OnHold = {
  readonly held: string | null;
  readonly missing: string | null;
  readonly tolerance: string | null;
};

/**
 * The resolution that the dialog starts with. Of the funds on hold, only what is still missing of the requested amount is the merchant's:
 * what was kept before counts, what was refunded does not. Where nothing says whose the money is, the merchant chooses.
 */
export function suggestedResolution({ held, missing, tolerance }: OnHold): Resolution | null {
  if (missing === null) return null;
  if (!exceeds(missing, tolerance ?? "0")) return "refund";
  if (held === null) return null;
  return exceeds(held, missing) ? "partial" : "accept";
}

function exceeds(amount: string, other: string): boolean {
  const excess = subtractDecimals(amount, other);
  return excess !== null && isPositive(excess);
}
