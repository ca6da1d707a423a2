import type { RejectionName } from "../platform/kernel/rejection.ts";
import { type ChainId, type Currency, isPayable } from "./currency.ts";

/** Flags that an operator sets for one currency. */
export type CurrencyState = {
  readonly isDisabled: boolean;
  readonly isUnavailable: boolean;
  /** A custom token whose listing fee is unpaid. */
  readonly isUnpaid: boolean;
};

/** The chains that this deployment follows, and those that it has turned off. */
export type ChainSwitches = {
  readonly enabled: ReadonlySet<ChainId>;
  readonly disabled: ReadonlySet<ChainId>;
};

export type Availability =
  | "available"
  | Extract<RejectionName, "currencyDisabled" | "currencyUnavailable" | "tokenNotPaidFor">;

/**
 * Decides whether an account may use a currency, or which rejection applies, in the error table's order. Currencies
 * of chains that this deployment has turned off are disabled; those of other chains that it does not follow, and tokens
 * without a contract, are unavailable. Fiat is available as
 * a unit of account; callers check `chain` for null before accepting payments in it.
 */
export function decideAvailability(
  currency: Currency,
  facts: {
    readonly chains: ChainSwitches;
    readonly state: CurrencyState;
    readonly accountBlocked: boolean;
  },
): Availability {
  const { chain } = currency;
  const isOff = chain !== null && facts.chains.disabled.has(chain);
  if (facts.state.isDisabled || isOff) return "currencyDisabled";
  const isThere = chain === null || (facts.chains.enabled.has(chain) && isPayable(currency));
  if (!isThere || facts.state.isUnavailable || facts.accountBlocked) return "currencyUnavailable";
  return facts.state.isUnpaid ? "tokenNotPaidFor" : "available";
}
