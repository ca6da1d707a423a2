import type { ChainId, Currency } from "./currency.ts";
import { type Availability, decideAvailability } from "./decide-availability.ts";

/**
 * Availability flags of one currency as a statement reads them. `is_blocked` applies to the requesting account only.
 */
export type AvailabilityRow = {
  readonly is_disabled: boolean;
  readonly is_unavailable: boolean;
  readonly is_unpaid: boolean;
  readonly is_blocked: boolean;
};

/** Whether the row's account may use the currency, given the chains that this deployment follows. */
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
