import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** A month of UTC: `2026-01`. */
export type Month = string;

/** The month of an instant. */
export function monthOf(at: Instant): Month {
  return formatTimestamp(at).slice(0, 7);
}

/** The month `count` months later, or earlier if negative. */
export function addMonths(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const index = year * 12 + (number - 1) + count;
  return `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`;
}

/** The start of the month after this one, as SQL reads it. */
export function endOf(month: Month): string {
  return `${addMonths(month, 1)}-01T00:00:00.000000Z`;
}

/** All months from `first` to `last`, both included. */
export function monthsFrom(first: Month, last: Month): readonly Month[] {
  const months: Month[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}
