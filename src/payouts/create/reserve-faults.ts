import { amountText } from "../../currencies/amount-text.ts";
import type { Currency } from "../../currencies/currency.ts";
import {
  type Rejection,
  type RejectionSource,
  rejection,
} from "../../platform/kernel/rejection.ts";
import type { PaymentQuote } from "./quote-fees.ts";

/**
 * insufficientFunds if only the reserve of the paying account could cover the payment and its lowest fee: the chain never lets the account
 * spend it. A payment above everything that the account holds waits for more, as on every chain. For the chain's coin.
 */
export function reserveFaults(
  { payer, low }: Pick<PaymentQuote, "payer" | "low">,
  paidUnits: bigint,
  currency: Pick<Currency, "alpha" | "exp">,
  source: RejectionSource,
): readonly Rejection[] {
  if (payer === undefined) return [];
  const needed = paidUnits + low;
  const free = payer.latest - payer.reserved;
  if (needed <= free || needed > payer.latest) return [];
  const payable = free > low ? free - low : 0n;
  const detail = `At most ${amountText(payable, currency)} can be paid out now. The paying account's reserve, ${amountText(payer.reserved, currency)}, cannot be spent.`;
  return [rejection("insufficientFunds", detail, source)];
}
