import type {
  CheckoutArrival,
  CheckoutPayment,
  CheckoutState,
} from "../../../src/deposits/checkout/checkout-state.ts";
import { formatAmount, isPositive } from "./format-amount.ts";
import { symbolOf } from "./group-choices.ts";
import type { Messages } from "./languages/messages.ts";

/** Whether a payment has its confirmations, although it may not be credited yet. */
export function hasConfirmations({ confirmations, needed }: CheckoutArrival): boolean {
  return confirmations >= needed;
}

/** Whether every payment that is on its way has its confirmations. */
function isConfirmed({ arrivals }: CheckoutState): boolean {
  return arrivals.filter(({ state }) => state === "pending").every(hasConfirmations);
}

/** Returns the title of a stage. */
export function stageTitle(state: CheckoutState, { titles, seen }: Messages): string {
  return state.stage === "seen" && isConfirmed(state) ? seen.confirmedTitle : titles[state.stage];
}

/** Returns the sentences below the title of a stage; none if the stage's component explains itself. */
export function stageLead(state: CheckoutState, messages: Messages): readonly string[] {
  const { payment, stage, reason, shop } = state;
  const amount = (text: string): string => {
    const shown = `${formatAmount(text, messages.locale)}\u00a0${symbolOf(payment?.code ?? "")}`;
    // Isolates the amount, whose parts would otherwise be reordered within right-to-left text.
    return messages.direction === "rtl" ? `\u2068${shown}\u2069` : shown;
  };
  switch (stage) {
    case "choose":
      return [];
    case "waiting":
      if (payment === null) return [messages.pay.preparing];
      return payment.missing === null && isPositive(payment.received)
        ? [messages.pay.receivedOpen(amount(payment.received))]
        : [];
    case "seen":
      return [
        isConfirmed(state) ? messages.seen.confirmedLead : messages.seen.lead,
        messages.seen.mayClose,
      ];
    case "partial":
      return payment === null || payment.missing === null || payment.requested === null
        ? []
        : [messages.partial.lead(amount(receivedInAll(payment)), amount(payment.missing))];
    case "paid":
      return [messages.paid.lead(shop)];
    case "expired":
      return [messages.expired.lead, messages.expired.doNotPay];
    case "cancelled":
      return [messages.cancelled.lead, messages.cancelled.doNotPay];
    case "unresolved": {
      const excess = payment === null ? null : excessOf(payment);
      return [messages.unresolved.lead[reason ?? "other"](excess === null ? null : amount(excess))];
    }
  }
}

/** Confirmed and pending payments together. */
function receivedInAll({ received, pending, precision }: CheckoutPayment): string {
  return formatUnits(unitsOf(received, precision) + unitsOf(pending, precision), precision);
}

/** The amount received beyond the amount requested; null if there is none. */
function excessOf(payment: CheckoutPayment): string | null {
  const { requested, precision } = payment;
  if (requested === null) return null;
  const units = unitsOf(receivedInAll(payment), precision) - unitsOf(requested, precision);
  return units > 0n ? formatUnits(units, precision) : null;
}

function unitsOf(amount: string, precision: number): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(precision, "0"));
}

function formatUnits(units: bigint, precision: number): string {
  const digits = units.toString().padStart(precision + 1, "0");
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}
