import type { Currency } from "./currency.ts";
import {
  type Availability,
  type ChainSwitches,
  decideAvailability,
} from "./decide-availability.ts";

/** Availability flags of one currency as a statement reads them. `is_blocked` applies to the requesting account only. */
export type AvailabilityRow = {
  readonly is_disabled: boolean;
  readonly is_unavailable: boolean;
  readonly is_unpaid: boolean;
  readonly is_blocked: boolean;
};

/** Whether the row's account may use the currency, given the deployment's chains. */
export function availabilityFromRow(
  currency: Currency,
  chains: ChainSwitches,
  row: AvailabilityRow,
): Availability {
  return decideAvailability(currency, {
    chains,
    state: {
      isDisabled: row.is_disabled,
      isUnavailable: row.is_unavailable,
      isUnpaid: row.is_unpaid,
    },
    accountBlocked: row.is_blocked,
  });
}
