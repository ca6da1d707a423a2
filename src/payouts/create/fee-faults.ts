import type { FeeQuote } from "../../chains/paying-port.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import type { PayoutDecision } from "./decide-new-payout.ts";
import { at } from "./payout-request.ts";

/** What was answered to a question about fees; null: there is no fresh quote. */
export type FeeAnswer = FeeQuote | "nodeUnavailable" | null;

/**
 * Holds the offered fee against the quote of the moment: from 80 % of `low` to three times `high`, both included. Faults:
 * feeOutOfRange, amountBelowMinimum (what is left would not be relayed), feeUnavailable, nodeUnavailable.
 */
export function feeFaults(
  { feeUnits, paidUnits }: NonNullable<PayoutDecision["toQuote"]>,
  quote: FeeAnswer,
): readonly Rejection[] {
  if (quote === null) {
    return [
      rejection("feeUnavailable", "No fresh fee quote for this currency; try again shortly."),
    ];
  }
  if (quote === "nodeUnavailable") {
    return [rejection("nodeUnavailable", "The blockchain node did not answer. Retry later.")];
  }
  const faults: Rejection[] = [];
  const isInRange = feeUnits * 5n >= quote.low * 4n && feeUnits <= quote.high * 3n;
  if (!isInRange) {
    const tooMuch = feeUnits > quote.high;
    faults.push(
      rejection(
        "feeOutOfRange",
        `fee_amount is too ${tooMuch ? "high" : "low"} at the moment; ask POST /payout/calculate/ again.`,
        at.attribute("fee_amount"),
      ),
    );
  }
  if (paidUnits < quote.dust) {
    faults.push(
      rejection(
        "amountBelowMinimum",
        "So small an amount is not relayed by the network.",
        at.attribute("amount"),
      ),
    );
  }
  return faults;
}
