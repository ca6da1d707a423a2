import { type Rejection, type RejectionSource, rejection } from "../platform/kernel/rejection.ts";
import type { Currency } from "./currency.ts";
import type { Availability } from "./decide-availability.ts";

/** The rejection for a currency that cannot be used. */
export function currencyRejection(
  { alpha }: Pick<Currency, "alpha">,
  reason: Exclude<Availability, "available">,
  source: RejectionSource,
): Rejection {
  const details = {
    currencyDisabled: `${alpha} is disabled.`,
    currencyUnavailable: `${alpha} is not available.`,
    tokenNotPaidFor: `The listing fee for ${alpha} has not been paid.`,
  };
  return rejection(reason, details[reason], source);
}
