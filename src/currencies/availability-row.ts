import type { ChainId, Currency } from "./currency.ts";
import { type Availability, decideAvailability } from "./decide-availability.ts";

/** What is switched for one currency, as statements read it; `is_blocked`: for the account that asks. */
export type AvailabilityRow = {
  readonly is_disabled: boolean;
  readonly is_unavailable: boolean;
  readonly is_unpaid: boolean;
  readonly is_blocked: boolean;
};

/** Whether the account of the row may use the currency where these chains are followed. */
export function availabilityFromRow(
  currency: Currency,
  enabledChains: ReadonlySet<ChainId>,
  row: AvailabilityRow,
): Availability {
  return decideAvailability(currency, {
    enabledChains,
    state: {
      isDisabled: row.is_disabled,
      isUnavailable: row.is_unavailable,
      isUnpaid: row.is_unpaid,
    },
    accountBlocked: row.is_blocked,
  });
}
