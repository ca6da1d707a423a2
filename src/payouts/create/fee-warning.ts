import type { FeeQuote } from "../../chains/paying-port.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { FeeQuestion } from "./quote-fees.ts";

/** A fee of more than a tenth of the amount is large beside it. */
const largeFeeTimes = 10n;

/**
 * The interface's warning for a payment from an account: 2 where the balance does not hold the least fee beside the
 * amount; 1 for a large fee; 3 where what remains is less than the least fee. A token's fee is in another currency
 * than its amount: nothing can be said.
 */
export function warningOfAccount(
  { low, medium }: Pick<FeeQuote, "low" | "medium">,
  { payment, balance }: Pick<FeeQuestion, "payment" | "balance">,
  coin: CurrencyId,
): FeeQuote["warning"] {
  const { currency, units } = payment.amount;
  if (currency !== coin) return null;
  if (balance - units < low) return 2;
  if (medium * largeFeeTimes > units) return 1;
  const left = balance - units - medium;
  return left > 0n && left < low ? 3 : null;
}
