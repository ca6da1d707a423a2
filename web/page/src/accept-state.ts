import type { CheckoutState } from "../../../src/checkout/checkout-state.ts";

/**
 * Which of two states the page shows: answers may overtake each other (a poll, an event, the answer to a choice), so an
 * older one never replaces a newer one, and an equal one keeps what is drawn.
 */
export function acceptState(current: CheckoutState | null, next: CheckoutState): CheckoutState {
  if (current === null) return next;
  if (current.id !== next.id || Date.parse(next.now) < Date.parse(current.now)) return current;
  return current.version === next.version ? current : next;
}
