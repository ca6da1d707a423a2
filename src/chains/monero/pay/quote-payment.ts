import { assert } from "../../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../../platform/kernel/money.ts";
import type { FeeQuote, QuoteRequest } from "../../paying-port.ts";
import {
  type FeeRates,
  feeAt,
  inputsMax,
  type Priority,
  selectCoins,
  weightOf,
  worthwhile,
} from "./fee.ts";

/** The payment and its change. */
const outputs = 2;
/** A fee above a tenth of the amount is pointed out. */
const largeFeeShare = 10n;

/**
 * What paying burns now, with the fewest coins that cover it; beyond the coins in reach, with one more than there are that are worth spending.
 * Nothing is too small to be relayed.
 */
export function quotePayment(
  currency: CurrencyId,
  rates: FeeRates,
  { balance, funds, payment }: QuoteRequest,
): FeeQuote {
  assert(funds.kind === "coins", "the chain is paid from coins");
  assert(payment.amount.currency === currency, "the chain pays one currency");
  const paid = payment.amount.units;
  const feeOf = (priority: Priority): bigint => {
    const feeWith = (inputs: number): bigint => feeAt(rates, priority, weightOf(inputs, outputs));
    const chosen = selectCoins(funds.coins, (inputs) => paid + feeWith(inputs), 1);
    if (chosen !== null) return feeWith(Math.min(chosen.length, inputsMax));
    return feeWith(Math.min(worthwhile(funds.coins, rates, priority).length + 1, inputsMax));
  };
  const [low, medium, high] = [feeOf("low"), feeOf("medium"), feeOf("high")];
  const isShort = balance < paid + medium;
  const isFeeLarge = medium * largeFeeShare > paid;
  return { low, medium, high, dust: 0n, warning: isShort ? 2 : isFeeLarge ? 1 : null };
}
