import type { Deposit } from "./deposit.ts";
import { depositStatus } from "./deposit-status.ts";
import { toleranceOf } from "./payments/tolerance.ts";

/** What people read as a deposit's status. The wire's `status` stays the interface's number. */
export const depositStates = [
  { value: "new", name: "New" },
  { value: "pending", name: "Pending" },
  { value: "partially_paid", name: "Partially paid" },
  { value: "paid", name: "Paid" },
  { value: "overpaid", name: "Overpaid" },
  { value: "expired", name: "Expired" },
  { value: "canceled", name: "Canceled" },
  { value: "on_hold", name: "On hold" },
  { value: "refunded", name: "Refunded" },
] as const;

export type DepositState = (typeof depositStates)[number]["value"];

/** The members of a deposit that determine its state. */
export type DepositStateFacts = Pick<
  Deposit,
  | "status"
  | "statusReason"
  | "targetAmountRequested"
  | "inaccuracy"
  | "toleranceBelow"
  | "toleranceAbove"
  | "acceptedAt"
  | "sums"
  | "blockedPayments"
>;

/** Derives the state from the status and the sums received. Stored with them, so that lists filter by it. Pure. */
export function stateOfDeposit(deposit: DepositStateFacts): DepositState {
  switch (deposit.status) {
    case depositStatus.unresolved:
      return "on_hold";
    case depositStatus.paid:
      return isOverpaid(deposit) ? "overpaid" : "paid";
    case depositStatus.canceled:
      if (deposit.statusReason === "expired") return "expired";
      return deposit.statusReason === "refunded" ? "refunded" : "canceled";
    case depositStatus.created:
      return stateOfOpen(deposit);
  }
}

/** The status stays Created until the requested amount is confirmed; without one, it never changes. */
function stateOfOpen(deposit: DepositStateFacts): DepositState {
  const { sums, targetAmountRequested, blockedPayments } = deposit;
  // Blocked payments count in no sum, and need an operator whatever else arrives.
  if (blockedPayments > 0) return "on_hold";
  // A payment that has no price yet counts only in the payment currency.
  if (sums.sourcePaidPending > 0n || sums.targetPaidPending > 0n) return "pending";
  if (sums.sourcePaid === 0n && sums.targetPaid === 0n) return "new";
  return targetAmountRequested === null ? "paid" : "partially_paid";
}

/** Only an accepted deposit can hold more than its tolerance allows. What was refunded of it does not count. */
function isOverpaid(deposit: DepositStateFacts): boolean {
  const { acceptedAt, targetAmountRequested, sums } = deposit;
  if (acceptedAt === null || targetAmountRequested === null) return false;
  return sums.enrolled + sums.commission > targetAmountRequested + toleranceOf(deposit).above;
}
