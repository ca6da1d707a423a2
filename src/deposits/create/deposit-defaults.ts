import type { CurrencyId } from "../../platform/kernel/money.ts";

/** A tolerance of an account. Both parts null: the built-in one. The larger of both parts counts. */
type Tolerance = {
  /** Of the requested amount, in millionths. */
  readonly ppm: number | null;
  /** In units of `toleranceCurrency`; other wallets' deposits ignore it. */
  readonly units: bigint | null;
};

/** What an account's deposits get where the request says nothing. */
export type DepositDefaults = {
  readonly underpayment: Tolerance;
  readonly overpayment: Tolerance;
  readonly toleranceCurrency: CurrencyId | null;
  /** Seconds, for Merchant wallets. */
  readonly timeLimit: number | null;
  readonly callbackUrl: string | null;
};

/** An overpayment of up to 1 % counts as paid. */
const builtInOverpaymentPpm = 10_000;

/**
 * The tolerances of a request without `inaccuracy`, in units of the wallet's currency, rounded down. A shortfall of the whole
 * requested amount is never tolerated. Pure.
 */
export function tolerancesOf(
  { underpayment, overpayment, toleranceCurrency }: DepositDefaults,
  requested: bigint,
  walletCurrency: CurrencyId,
): { readonly below: bigint; readonly above: bigint } {
  const unitsOf = ({ ppm, units }: Tolerance, builtInPpm: number): bigint => {
    const isBuiltIn = ppm === null && units === null;
    const share = (requested * BigInt(isBuiltIn ? builtInPpm : (ppm ?? 0))) / 1_000_000n;
    const fixed = toleranceCurrency === walletCurrency ? (units ?? 0n) : 0n;
    return share > fixed ? share : fixed;
  };
  const below = unitsOf(underpayment, 0);
  return {
    below: below < requested ? below : requested - 1n,
    above: unitsOf(overpayment, builtInOverpaymentPpm),
  };
}
