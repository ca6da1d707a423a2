import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { Path } from "./locate.ts";

/** A fault in the configuration, and its path. */
export type Fault = { readonly path: Path; readonly message: string };

/** Why an amount under a currency's code is invalid; null when it is valid. */
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
