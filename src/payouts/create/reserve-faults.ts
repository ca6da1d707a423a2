import type { Currency } from "../../currencies/currency.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
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
  { alpha, exp }: Pick<Currency, "alpha" | "exp">,
  source: RejectionSource,
): readonly Rejection[] {
  if (payer === undefined) return [];
  const needed = paidUnits + low;
  const free = payer.latest - payer.reserved;
  if (needed <= free || needed > payer.latest) return [];
  const text = (units: bigint): string => `${formatDecimal(units, exp)} ${alpha}`;
  const payable = free > low ? free - low : 0n;
  const detail = `At most ${text(payable)} can be paid out now. The paying account's reserve, ${text(payer.reserved)}, cannot be spent.`;
  return [rejection("insufficientFunds", detail, source)];
}
