import { type Rejection, type RejectionSource, rejection } from "../platform/kernel/rejection.ts";
import type { Currency } from "./currency.ts";
import type { Availability } from "./decide-availability.ts";

/** The row of the error table that says why a currency cannot be used. */
export function currencyRejection(
  { alpha }: Pick<Currency, "alpha">,
  reason: Exclude<Availability, "available">,
  source: RejectionSource,
): Rejection {
  const details = {
    currencyDisabled: `${alpha} is disabled.`,
    currencyUnavailable: `${alpha} is not available here.`,
    tokenNotPaidFor: `The listing of ${alpha} was not paid for.`,
  };
  return rejection(reason, details[reason], source);
}
