import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";

/** What the page shows, and how far it is known that nothing newer has been seen. */
export type Accepted = {
  readonly state: CheckoutState | null;
  /** The server's clock as of the newest that was heard, also where that looked the same. */
  readonly heardAt: string | null;
  /** How many states came that differed from the one shown: what was asked for at one count and is answered at another was overtaken. */
  readonly count: number;
  /** Something came of which nobody can say whether it is newer than what is shown. Asking once more settles it. */
  readonly isDoubtful: boolean;
};

/**
 * What is shown after a state came. States overtake each other (a poll, an event, the answer to a choice), and each process of
 * the service has a clock of its own; but what was asked for after the shown one had come was read after it. `askedAt` is the
 * count at which it was asked for, null for an event that came by itself: the stream tells once more what it got wrong, so its clock
 * is believed unless it goes back. An equal state keeps what is drawn.
 */
export function acceptState(
  accepted: Accepted,
  next: CheckoutState,
  askedAt: number | null,
): Accepted {
  const { state, heardAt, count } = accepted;
  if (state === null || heardAt === null)
    return { state: next, heardAt: next.now, count: count + 1, isDoubtful: false };
  if (state.id !== next.id) return accepted;
  const isSure = askedAt === count;
  const isLater = Date.parse(next.now) >= Date.parse(heardAt);
  const heard = isSure || isLater ? next.now : heardAt;
  const isDoubtful = accepted.isDoubtful && !isSure;
  if (state.version === next.version) return { ...accepted, heardAt: heard, isDoubtful };
  if (isSure || (askedAt === null && isLater))
    return { state: next, heardAt: heard, count: count + 1, isDoubtful };
  return { ...accepted, count: count + 1, isDoubtful: true };
}
