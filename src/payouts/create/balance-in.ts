import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { divideByRate, type Rate } from "../../platform/kernel/rate.ts";
import type { WalletFacts } from "./facts.store.ts";

/** The most that a wallet could pay, in units of the payment currency, rounded down; 0 without a price (`rate` null). */
export function balanceIn(
  currency: Currency,
  wallet: Pick<WalletFacts, "available" | "currency">,
  rate: Rate | null,
  currencies: CurrencyRegistry,
): bigint {
  if (rate === null || rate.units === 0n) return 0n;
  const { exp } = currencies.get(wallet.currency);
  return divideByRate(wallet.available, exp, rate, currency.exp, "down");
}
