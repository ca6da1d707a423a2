import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import { divideByRate, type Rate } from "../../platform/kernel/rate.ts";
import type { Deposit } from "../deposit.ts";
import type { Received } from "./received.ts";

/** What of the payment currency is worth so many units of the wallet's, rounded up: whoever pays it has paid enough. */
export function sourceAmountOf(
  targetUnits: bigint,
  walletCurrency: Currency,
  rate: Rate,
  currency: Currency,
): bigint {
  return divideByRate(targetUnits, walletCurrency.exp, rate, currency.exp, "up");
}

/** What a deposit with a requested amount asks for in all, once its rest is asked for at another rate. */
export function requotedAmountOf(
  deposit: Deposit,
  received: Received,
  rate: Rate,
  currencies: CurrencyRegistry,
): bigint {
  const requested = present(deposit.targetAmountRequested, "the amount that is asked for");
  const rest = requested - received.target - received.targetPending;
  const currency = currencies.get(present(deposit.currency, "the currency of a rate"));
  const walletCurrency = currencies.get(deposit.walletCurrency);
  return (
    received.source + received.sourcePending + sourceAmountOf(rest, walletCurrency, rate, currency)
  );
}
