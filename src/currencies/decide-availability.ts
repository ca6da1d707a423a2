import type { RejectionName } from "../platform/kernel/rejection.ts";
import { type ChainId, type Currency, isPayable } from "./currency.ts";

/** Flags that an operator sets for one currency. */
export type CurrencyState = {
  readonly isDisabled: boolean;
  readonly isUnavailable: boolean;
  /** A custom token whose listing fee is unpaid. */
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
 * Decides whether an account may use a currency, or which rejection applies, in the error table's order. Currencies
 * of chains that this deployment does not follow and tokens without a contract are unavailable. Fiat is available as
 * a unit of account; callers check `chain` for null before accepting payments in it.
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
