import { amountText } from "../../currencies/amount-text.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { pointerOf, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import type { CreationFacts } from "../create/creation-facts.store.ts";
import {
  decidePaymentTerms,
  type PaymentContext,
  type PaymentTerms,
} from "../create/decide-payment-terms.ts";
import type { Deposit } from "../deposit.ts";
import { depositStatus } from "../deposit-status.ts";

/** What a payer chooses on the payment page. Null: the currency's default address type. */
export type PaymentChoice = { readonly currencyId: string; readonly addressType: string | null };

/** Rejects with currencyChosen and depositEnded. */
export function assertMayChoose(deposit: Deposit, now: Instant): void {
  if (deposit.currency !== null)
    reject("currencyChosen", "The currency of this payment has already been chosen.");
  assertPayable(deposit, now);
}

/** Rejects with depositEnded what is paid, ended, or out of time: its address would take money that comes too late. */
export function assertPayable({ status, expiresAt }: Deposit, now: Instant): void {
  if (status !== depositStatus.created) reject("depositEnded", "This payment is closed.");
  if (expiresAt !== null && expiresAt <= now) reject("depositEnded", "This payment has expired.");
}

export type ChoiceDecision =
  | { readonly kind: "chosen"; readonly terms: PaymentTerms }
  | { readonly kind: "rejected"; readonly rejections: readonly [Rejection, ...Rejection[]] };

/** Decides the terms of a deposit in the currency that its payer chose. Rejections point into the page's own request. */
export function decideChoice(
  { targetAmountRequested }: Pick<Deposit, "targetAmountRequested">,
  choice: PaymentChoice,
  facts: CreationFacts,
  context: Omit<PaymentContext, "unread"> & { readonly isPaused: boolean },
): ChoiceDecision {
  const request = { ...choice, targetAmountRequested };
  const { terms, faults } = decidePaymentTerms(request, facts, { ...context, unread: [] });
  const [first, ...others] = faults;
  if (first !== undefined)
    return { kind: "rejected", rejections: [onPage(first), ...others.map(onPage)] };
  const fault = ownFault(terms, context);
  return fault === null ? { kind: "chosen", terms } : { kind: "rejected", rejections: [fault] };
}

const pagePointers: ReadonlyMap<string, string> = new Map([
  ["/data/relationships/currency", "/currency"],
  ["/data/attributes/address_type", "/addressType"],
]);

/** What else is wrong the payer did not ask for, and no place in the request is to blame. */
function onPage(fault: Rejection): Rejection {
  const pointer = pagePointers.get(pointerOf(fault) ?? "");
  return rejection(fault.name, fault.detail, pointer === undefined ? undefined : { pointer });
}

/** What a merchant may ask for and a payer may not walk into. */
function ownFault(
  { currency: id, sourceAmountRequested: amount }: PaymentTerms,
  { currencies, isPaused }: Pick<PaymentContext, "currencies"> & { readonly isPaused: boolean },
): Rejection | null {
  if (id === null) return null;
  const currency = currencies.get(id);
  const source = { pointer: "/currency" };
  if (isPaused) {
    const detail = `${currency.alpha} cannot be paid at the moment: its network does not answer.`;
    return rejection("currencyUnavailable", detail, source);
  }
  if (amount === null || amount >= currency.minimalTransferUnits) return null;
  const minimum = amountText(currency.minimalTransferUnits, currency);
  const detail = `The smallest amount that is credited is ${minimum}; this payment is smaller.`;
  return rejection("amountBelowMinimum", detail, source);
}
