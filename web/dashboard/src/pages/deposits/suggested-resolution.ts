import { isPositive, subtractDecimals } from "../../components/decimals.ts";

export type Resolution = "accept" | "refund" | "partial";

/**
 * The resolution that the dialog starts with. Of an overpayment only the requested amount is the merchant's. Without a requested amount
 * nothing says whose the money is, so the merchant chooses.
 */
export function suggestedResolution(requested: string | null, paid: string): Resolution | null {
  if (requested === null) return null;
  const excess = subtractDecimals(paid, requested);
  return excess !== null && isPositive(excess) ? "partial" : "accept";
}
