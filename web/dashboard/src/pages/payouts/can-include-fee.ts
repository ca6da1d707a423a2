import type { Currency } from "../../../../../client/src/api-types.gen.ts";

/** "Cannot be true for tokens or for these currencies": the interface, on `is_fee_included`. */
const never = new Set([
  ...["ADA", "ARB", "AVAX", "BNB", "BNB-BSC", "ETH", "ETH-BASE", "MATIC", "OPT"],
  ...["TRX", "XLM", "XMR", "XRP"],
]);

/** Whether the fee may be part of a payout's amount. */
export function canIncludeFee({ attributes, relationships }: Currency): boolean {
  return relationships.parent.data === null && !never.has(attributes.alpha);
}
