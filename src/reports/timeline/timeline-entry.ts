import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** What an entry tells of. The words of events are those of the feed (`GET /event/`). */
export const timelineKinds = [
  { value: "created", name: "it was made" },
  { value: "time_limit_changed", name: "its time limit was changed for the last time" },
  { value: "approved", name: "a second member approved it" },
  { value: "broadcast", name: "a transaction was handed to the network" },
  { value: "seen", name: "a payment was first recorded" },
  { value: "in_block", name: "booked as being in a block" },
  { value: "taken_back", name: "booked as taken back by a re-org" },
  { value: "refund_address_left", name: "the payer left an address for money to go back to" },
  { value: "cancel_asked", name: "a member cancelled it" },
  { value: "expired", name: "its time limit was found to have run out" },
  { value: "accepted", name: "a member accepted what waited" },
  { value: "refunded", name: "a refund of a payment, or of a part of it, was made" },
  {
    value: "refund_undone",
    name: "the refund's payout was canceled or failed, and the payment waits for a decision again",
  },
  { value: "released", name: "a member let pass what screening held" },
  { value: "posting", name: "one movement in the books" },
  { value: "confirmed", name: "it reached the confirmations that count" },
  { value: "settled", name: "it reached the currency's own confirmations" },
  { value: "reversed", name: "what had been told was taken back" },
  { value: "cancelled", name: "another transaction took its place" },
  { value: "failed", name: "it failed for good" },
  { value: "blocked", name: "screening or policy holds it" },
  { value: "dust", name: "less than the minimum came" },
  { value: "misplaced", name: "another asset than the deposit's came" },
  { value: "status", name: "its status changed" },
  { value: "callback", name: "a callback was made" },
  { value: "attempt", name: "a callback was sent" },
] as const;

export type TimelineKind = (typeof timelineKinds)[number]["value"];

/** One thing that is on record of a deposit or a payout. */
export type TimelineEntry = {
  /** Orders what happened at one instant. */
  readonly id: string;
  readonly at: Instant;
  readonly kind: TimelineKind;
  readonly transferId: string | null;
  readonly payoutId: string | null;
  readonly txid: string | null;
  readonly blockHeight: number | null;
  /** Kinds of ledger accounts, never their names: `wallet/available`, `chain`. */
  readonly debit: string | null;
  readonly credit: string | null;
  readonly money: { readonly units: bigint; readonly currency: CurrencyId } | null;
  /** The object's status from then on, where one was recorded; of a callback, its state now. */
  readonly status: string | null;
  readonly callbackId: string | null;
  /** Number of the attempt; of a callback how many there were, of a broadcast which transaction it is. */
  readonly attempt: number | null;
  /** HTTP status that the receiver answered with. */
  readonly statusCode: number | null;
  readonly message: string | null;
};
