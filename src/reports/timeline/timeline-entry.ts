import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { choice } from "../../platform/resources/filters.ts";

/** The kinds of entries. Event kinds are those of the feed (`GET /event/`). */
export const timelineKinds = [
  { value: "created", name: "created" },
  { value: "time_limit_changed", name: "its expiry was last changed" },
  { value: "approved", name: "approved by a second member" },
  { value: "broadcast", name: "a transaction was broadcast" },
  { value: "seen", name: "a payment was first recorded" },
  { value: "in_block", name: "booked as included in a block" },
  { value: "taken_back", name: "booked as removed by a reorg" },
  { value: "refund_address_left", name: "the payer left a refund address" },
  { value: "cancel_asked", name: "canceled by a member" },
  { value: "expired", name: "expired" },
  { value: "accepted", name: "a member accepted the payment" },
  { value: "refunded", name: "a refund of a payment, or of a part of it, was created" },
  {
    value: "refund_undone",
    name: "the refund's payout was canceled or failed, and the payment is on hold again",
  },
  { value: "released", name: "a held payment was released" },
  { value: "assigned", name: "the operator assigned an unattributed payment to the deposit" },
  { value: "returns", name: "the payout was created to return an unattributed payment" },
  { value: "posting", name: "one ledger posting" },
  { value: "confirmed", name: "reached the required confirmations" },
  { value: "settled", name: "reached the currency's own confirmations" },
  { value: "reversed", name: "an earlier event was reverted" },
  { value: "cancelled", name: "replaced by another transaction" },
  { value: "failed", name: "failed permanently" },
  { value: "blocked", name: "held by screening or policy" },
  { value: "dust", name: "below the minimum" },
  { value: "misplaced", name: "an asset other than the deposit's arrived" },
  { value: "address_activated", name: "its address was activated" },
  { value: "status", name: "its status changed" },
  { value: "callback", name: "a callback was created" },
  { value: "attempt", name: "a callback was sent" },
] as const;

/** The filter of a timeline, on entries as `e`. */
export const timelineFilters = {
  kind: { ...choice(timelineKinds), kind: "text", sql: "e.kind" },
} as const;

export type TimelineKind = (typeof timelineKinds)[number]["value"];

/** A recorded fact about a deposit or a payout. */
export type TimelineEntry = {
  /** Orders entries of the same instant. */
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
  /** The object's status from then on, if recorded; of a callback, its current state. */
  readonly status: string | null;
  readonly callbackId: string | null;
  /** Of a callback and its attempts, the event that it reports. */
  readonly trigger: string | null;
  /** Number of the attempt; of a callback, how many there were; of a broadcast, which transaction. */
  readonly attempt: number | null;
  /** HTTP status of the receiver's response. */
  readonly statusCode: number | null;
  readonly message: string | null;
  /** Who acted, of the object's account. Null if it was the service or the operator, or was not recorded. */
  readonly member: { readonly id: string; readonly name: string } | null;
};
