import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";

/** How long a page that waits for nothing goes on listening: money may have been on its way when the time ran out. */
const grace = 30 * 60_000;

/**
 * Whether nothing is to be expected any more. What was paid is final; what expired or was cancelled only some time later,
 * as a late payment still changes it. The page looks again whenever it is shown. `serverMs` is the server's clock.
 */
export function isFinal(
  { stage, expiresAt, arrivals, price, payment }: CheckoutState,
  serverMs: number,
): boolean {
  // Where the payer says how much, more may follow.
  if (payment !== null && price === null && payment.requested === null) return false;
  if (stage === "paid") return arrivals.every(({ state }) => state !== "pending");
  if (stage !== "expired" && stage !== "cancelled") return false;
  return expiresAt !== null && serverMs - Date.parse(expiresAt) > grace;
}
