import type { Payout } from "./payout.ts";

/** What people read as a payout's status. The wire's `status` stays the interface's number. */
export const payoutStates = [
  { value: "needs_approval", name: "Needs approval" },
  { value: "queued", name: "Queued" },
  { value: "sent", name: "Sent" },
  { value: "confirmed", name: "Confirmed" },
  { value: "failed", name: "Failed" },
  { value: "canceled", name: "Canceled" },
  { value: "on_hold", name: "On hold" },
] as const;

export type PayoutState = (typeof payoutStates)[number]["value"];

/** Derives the state from how far the payout is. Stored with it, so that lists filter by it. Pure. */
export function stateOfPayout({
  stage,
  txid,
  isConfirmed,
}: Pick<Payout, "stage" | "txid" | "isConfirmed">): PayoutState {
  switch (stage) {
    case "waiting":
      return "needs_approval";
    case "held":
      return "queued";
    case "sending":
      if (txid === null) return "queued";
      return isConfirmed ? "confirmed" : "sent";
    case "included":
      return isConfirmed ? "confirmed" : "sent";
    case "confirmed":
    case "internal":
      return "confirmed";
    case "failed":
      return "failed";
    case "cancelled":
      return "canceled";
    case "blocked":
      return "on_hold";
  }
}
