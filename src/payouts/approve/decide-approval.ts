import type { PayoutLimit } from "../create/facts.store.ts";

/** Whether a payout goes above a limit, and so has to wait for approval; `units` of the payment currency. */
export function isAboveLimit(
  units: bigint,
  limits: readonly PayoutLimit[],
  paidBefore: (limit: PayoutLimit & { readonly span: "hour" | "day" }) => bigint,
): boolean {
  return limits.some((limit) => {
    const { span } = limit;
    const before = span === "transaction" ? 0n : paidBefore({ ...limit, span });
    return before + units > limit.units;
  });
}
