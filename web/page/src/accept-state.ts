import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";

/** The state on screen and what is known about its age. */
export type Accepted = {
  readonly state: CheckoutState | null;
  /** Server time of the newest response accepted so far, including responses with an unchanged state. */
  readonly serverNow: string | null;
  /** Number of received states that differed from the one on screen. A request remembers the count at which it was sent. */
  readonly count: number;
  /** A state arrived whose age relative to the one on screen is unknown. One more request settles it. */
  readonly needsReload: boolean;
};

/**
 * Decides what to show after a state arrived. States can arrive out of order (a poll, an event, the response to a choice), and the
 * clocks of the service's processes differ. `requestedAt` is the count at which the state was requested: a response to a request
 * sent after the state on screen arrived was read after it. It is null for a server-sent event, which is accepted unless its
 * clock goes back, because the stream repeats what it got wrong. An unchanged state keeps the object on screen.
 */
export function acceptState(
  accepted: Accepted,
  next: CheckoutState,
  requestedAt: number | null,
): Accepted {
  const { state, serverNow, count } = accepted;
  if (state === null || serverNow === null)
    return { state: next, serverNow: next.now, count: count + 1, needsReload: false };
  if (state.id !== next.id) return accepted;
  const isCertainlyNewer = requestedAt === count;
  const isLater = Date.parse(next.now) >= Date.parse(serverNow);
  const latest = isCertainlyNewer || isLater ? next.now : serverNow;
  const needsReload = accepted.needsReload && !isCertainlyNewer;
  if (state.version === next.version) return { ...accepted, serverNow: latest, needsReload };
  if (isCertainlyNewer || (requestedAt === null && isLater))
    return { state: next, serverNow: latest, count: count + 1, needsReload };
  return { ...accepted, count: count + 1, needsReload: true };
}
