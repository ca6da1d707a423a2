import { locale } from "../../language/language.ts";

/** The months up to that of `now` in UTC, newest first, as choices: `2026-01`, "January 2026". */
export function recentMonths(
  now: Date,
  count: number,
): readonly { readonly value: string; readonly label: string }[] {
  const named = new Intl.DateTimeFormat(locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return Array.from({ length: count }, (_, back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    return { value: month.toISOString().slice(0, 7), label: named.format(month) };
  });
}
