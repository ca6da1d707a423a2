import type { RejectionName } from "../platform/kernel/rejection.ts";
import { type ChainId, type Currency, isPayable } from "./currency.ts";

/** What an operator has switched for one currency. */
export type CurrencyState = {
  readonly isDisabled: boolean;
  readonly isUnavailable: boolean;
  /** A custom token whose listing fee is owed. */
  readonly isUnpaid: boolean;
};

export const defaultCurrencyState: CurrencyState = {
  isDisabled: false,
  isUnavailable: false,
  isUnpaid: false,
};

export type Availability =
  | "available"
  | Extract<RejectionName, "currencyDisabled" | "currencyUnavailable" | "tokenNotPaidFor">;

/**
 * Whether an account may use a currency, and if not by which row of the error table, in the table's precedence. A chain
 * that this deployment does not follow and a token without a contract here are unavailable. Fiat has no chain and is
 * available as a wallet's unit of account; that nobody can pay in it is for the caller to know (`chain` is null).
 */
export function decideAvailability(
  currency: Currency,
  facts: {
    readonly enabledChains: ReadonlySet<ChainId>;
    readonly state: CurrencyState;
    readonly accountBlocked: boolean;
  },
): Availability {
  if (facts.state.isDisabled) return "currencyDisabled";
  const isThere =
    currency.chain === null || (facts.enabledChains.has(currency.chain) && isPayable(currency));
  if (!isThere || facts.state.isUnavailable || facts.accountBlocked) return "currencyUnavailable";
  return facts.state.isUnpaid ? "tokenNotPaidFor" : "available";
}
