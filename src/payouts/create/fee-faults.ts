import { FeesTooHigh } from "../../chains/paying-port.ts";
import { amountText } from "../../currencies/amount-text.ts";
import type { Currency } from "../../currencies/currency.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { at } from "../payout-documents.ts";
import type { PayoutDecision } from "./decide-new-payout.ts";
import type { PaymentQuote } from "./quote-fees.ts";
import { receiverFaults } from "./receiver-faults.ts";

/** The answer to a fee question; null without a fresh quote. */
export type FeeAnswer = PaymentQuote | FeesTooHigh | "nodeUnavailable" | null;

/**
 * Compares the offered fee with the current quote: from 80 % of `low` to three times `high`, inclusive. Faults:
 * feeOutOfRange, amountBelowMinimum (the network would not relay the remainder), feeUnavailable, nodeUnavailable, and those of
 * the receiver.
 */
export function feeFaults(
  { feeUnits, paidUnits, payment }: NonNullable<PayoutDecision["toQuote"]>,
  quote: FeeAnswer,
  currency: Currency,
): readonly Rejection[] {
  if (quote === null) {
    return [
      rejection(
        "feeUnavailable",
        "No fresh fee quote for this currency is available. Try again shortly.",
      ),
    ];
  }
  if (quote === "nodeUnavailable") {
    return [rejection("nodeUnavailable", "The blockchain node did not respond. Try again later.")];
  }
  if (quote instanceof FeesTooHigh) return [rejection("feeUnavailable", quote.detail)];
  const faults: Rejection[] = [
    ...receiverFaults(quote.receiver, paidUnits, currency, {
      address: at.attribute("address"),
      tag: at.attribute("tag"),
      amount: at.attribute("amount"),
    }),
  ];
  const isInRange = feeUnits * 5n >= quote.low * 4n && feeUnits <= quote.high * 3n;
  if (!isInRange) {
    const tooMuch = feeUnits > quote.high;
    faults.push(
      rejection(
        "feeOutOfRange",
        `fee_amount is too ${tooMuch ? "high" : "low"} right now. Get a new fee from POST /payout/calculate/.`,
        at.attribute("fee_amount"),
      ),
    );
  }
  if (paidUnits < quote.dust) {
    const isFeeIncluded = payment.amount.units > paidUnits;
    const detail = isFeeIncluded
      ? `With the fee included, the amount must be at least ${amountText(quote.dust + feeUnits, currency)}.`
      : "The network does not relay such a small amount.";
    faults.push(rejection("amountBelowMinimum", detail, at.attribute("amount")));
  }
  return faults;
}
