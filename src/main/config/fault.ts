import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { Path } from "./locate.ts";

/** What is wrong with a configuration, and where. */
export type Fault = { readonly path: Path; readonly message: string };

/** What is wrong with an amount that is given by a currency's alpha code; null: nothing. */
export function amountFault(
  currencies: CurrencyRegistry,
  alpha: string,
  amount: string,
  isOfCoin: boolean,
): string | null {
  const currency = currencies.byAlpha(alpha);
  if (currency === null) return `no currency ${alpha}`;
  if (isOfCoin && currency.kind !== "coin") return "fees are paid in coins: name one";
  return parseDecimal(amount, currency.exp).kind === "units"
    ? null
    : `${alpha} has at most ${currency.exp} digits after the point`;
}
