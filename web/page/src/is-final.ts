import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";

/** A payment sent just before the deadline may still arrive, so an expired or canceled page keeps listening this long. */
const graceMs = 30 * 60_000;

/**
 * Whether no further changes are expected. A paid state is final; an expired or canceled one only after a grace period,
 * because a late payment changes it. The page reloads its state whenever it becomes visible. `serverMs` is the server's clock.
 */
export function isFinal(
  { stage, expiresAt, arrivals, price, payment }: CheckoutState,
  serverMs: number,
): boolean {
  // A deposit without a requested amount accepts any number of payments.
  if (payment !== null && price === null && payment.requested === null) return false;
  if (stage === "paid") return arrivals.every(({ state }) => state !== "pending");
  if (stage !== "expired" && stage !== "cancelled") return false;
  return expiresAt !== null && serverMs - Date.parse(expiresAt) > graceMs;
}
