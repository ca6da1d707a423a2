import {
  columnList,
  group,
  integer,
  orNull,
  type RecordOf,
  recordReader,
  text,
  units,
} from "../../platform/db/columns.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** A tolerance of an account. Both parts null: the built-in one. The larger of both parts counts. */
const tolerance = (name: "underpayment" | "overpayment") =>
  group({
    /** Of the requested amount, in millionths. */
    ppm: orNull(integer(`${name}_ppm`)),
    /** In units of `toleranceCurrency`; other wallets' deposits ignore it. */
    units: orNull(units(`${name}_units`)),
  });

/** What an account's deposits get where the request says nothing: columns of `account`. */
export const depositDefaultFields = {
  underpayment: tolerance("underpayment"),
  overpayment: tolerance("overpayment"),
  toleranceCurrency: orNull(text<CurrencyId>("tolerance_currency")),
  /** Seconds, for Merchant wallets. */
  timeLimit: orNull(integer("default_time_limit")),
  callbackUrl: orNull(text("default_callback_url")),
  redirectUrl: orNull(text("default_redirect_url")),
  buttonText: orNull(text("default_button_text")),
};

export type DepositDefaults = RecordOf<typeof depositDefaultFields>;

export const depositDefaultColumns = columnList(depositDefaultFields, "account");
export const depositDefaultsFromRow = recordReader(depositDefaultFields);

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
  const unitsOf = ({ ppm, units }: DepositDefaults["underpayment"], builtInPpm: number): bigint => {
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
