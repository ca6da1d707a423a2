import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { multiplyByRate, type Rate } from "../../platform/kernel/rate.ts";
import type { Deposit } from "../deposit.ts";

export type ToleranceFacts = Pick<Deposit, "inaccuracy" | "toleranceBelow" | "toleranceAbove">;

/** How far payments may miss the requested amount, in units of the wallet's currency. The request's `inaccuracy` replaces defaults. */
export function toleranceOf({ inaccuracy, toleranceBelow, toleranceAbove }: ToleranceFacts): {
  readonly below: bigint;
  readonly above: bigint;
} {
  return {
    below: inaccuracy ?? toleranceBelow ?? 0n,
    above: inaccuracy ?? toleranceAbove ?? 0n,
  };
}

/**
 * What the payment currency's minimum is worth at a rate, in units of the wallet's currency, rounded up. A smaller shortfall counts
 * as paid, because nobody can send it. Zero where the request sets `inaccuracy`, or the deposit has no payment currency.
 */
export function leastPayableOf(
  { toleranceBelow, currency, walletCurrency }: Deposit,
  rate: Rate | null,
  currencies: CurrencyRegistry,
): bigint {
  if (toleranceBelow === null || currency === null || rate === null) return 0n;
  const { minimalTransferUnits, exp } = currencies.get(currency);
  const walletExp = currencies.get(walletCurrency).exp;
  return multiplyByRate(minimalTransferUnits, exp, rate, walletExp, "up");
}

/** Whether the missing units of the wallet's currency do not have to be paid. `least`: as `leastPayableOf` returns it. */
export function isTolerated(missing: bigint, facts: ToleranceFacts, least: bigint): boolean {
  return missing <= toleranceOf(facts).below || missing < least;
}
