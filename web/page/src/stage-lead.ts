import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";
import { formatAmount } from "./format-amount.ts";
import { symbolOf } from "./group-choices.ts";
import type { Messages } from "./languages/messages.ts";

/** The sentences below the title of a stage; empty where the stage's own part says all. */
export function stageLead(state: CheckoutState, messages: Messages): readonly string[] {
  const { payment, stage, reason, shop } = state;
  const amount = (text: string): string => {
    const shown = `${formatAmount(text, messages.locale)}\u00a0${symbolOf(payment?.code ?? "")}`;
    // Between words written from right to left its parts would change places.
    return messages.direction === "rtl" ? `\u2068${shown}\u2069` : shown;
  };
  switch (stage) {
    case "choose":
      return [];
    case "waiting":
      return payment !== null && payment.missing === null && /[1-9]/.test(payment.received)
        ? [messages.pay.receivedOpen(amount(payment.received))]
        : [];
    case "seen":
      return [messages.seen.lead, messages.seen.mayClose];
    case "partial":
      return payment === null || payment.missing === null || payment.requested === null
        ? []
        : [messages.partial.lead(amount(arrivedOf(state)), amount(payment.missing))];
    case "paid":
      return [messages.paid.lead(shop)];
    case "expired":
      return [messages.expired.lead, messages.expired.doNotPay];
    case "cancelled":
      return [messages.cancelled.lead, messages.cancelled.doNotPay];
    case "unresolved":
      return [messages.unresolved.lead[reason ?? "other"]];
  }
}

/** Confirmed and seen together, added digit by digit's worth: as integers of the smallest unit. */
function arrivedOf({ payment }: CheckoutState): string {
  if (payment === null) return "0";
  const { received, pending, precision } = payment;
  const sum = unitsOf(received, precision) + unitsOf(pending, precision);
  const digits = sum.toString().padStart(precision + 1, "0");
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

function unitsOf(amount: string, precision: number): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(precision, "0"));
}
