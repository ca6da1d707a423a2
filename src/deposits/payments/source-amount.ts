import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import { divideByRate, type Rate } from "../../platform/kernel/rate.ts";
import type { Deposit } from "../deposit.ts";
import type { Received } from "./received.ts";

/**
 * The amount in the payment currency that is worth the given units of the wallet's currency, rounded up so that it pays them in
 * full.
 */
export function sourceAmountOf(
  targetUnits: bigint,
  walletCurrency: Currency,
  rate: Rate,
  currency: Currency,
): bigint {
  return divideByRate(targetUnits, walletCurrency.exp, rate, currency.exp, "up");
}

/** The total payment amount of a deposit after its missing amount was quoted at another rate. */
export function requotedAmountOf(
  deposit: Deposit,
  received: Received,
  rate: Rate,
  currencies: CurrencyRegistry,
): bigint {
  const requested = present(deposit.targetAmountRequested, "the requested amount");
  const rest = requested - received.target - received.targetPending;
  const currency = currencies.get(present(deposit.currency, "the currency of a rate"));
  const walletCurrency = currencies.get(deposit.walletCurrency);
  return (
    received.source + received.sourcePending + sourceAmountOf(rest, walletCurrency, rate, currency)
  );
}
