import { addDecimals } from "../../components/decimals.ts";
import { locale } from "../../language/language.ts";
import { t } from "../../language/t.ts";

export type BucketSize = "day" | "week";

/** The time spans of the charts; `period` stands in sentences behind "in". */
export const spans = {
  "7": { label: t("7 days"), period: t("the last 7 days"), size: "day", count: 7 },
  "30": { label: t("30 days"), period: t("the last 30 days"), size: "day", count: 30 },
  "365": { label: t("12 months"), period: t("the last 12 months"), size: "week", count: 53 },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly label: string;
      readonly period: string;
      readonly size: BucketSize;
      readonly count: number;
    }
  >
>;

export type SpanName = keyof typeof spans;

const dayMs = 86_400_000;
/** 1970-01-05 was a Monday. */
const firstMondayMs = 4 * dayMs;

/** The start timestamps of the span's buckets (UTC), oldest first; the last one is the current bucket. */
export function bucketStarts(name: SpanName, nowMs: number): readonly string[] {
  const { size, count } = spans[name];
  const lengthMs = size === "week" ? 7 * dayMs : dayMs;
  const originMs = size === "week" ? firstMondayMs : 0;
  const lastMs = Math.floor((nowMs - originMs) / lengthMs) * lengthMs + originMs;
  return Array.from({ length: count }, (_one, index) =>
    new Date(lastMs - (count - 1 - index) * lengthMs).toISOString().replace("000Z", "000000Z"),
  );
}

type Bucket = { readonly start: string; readonly fiat_amount: string | null };

/** The fiat sum of the series per bucket; amounts without a price are ignored. */
export function sumByBucket(
  starts: readonly string[],
  series: readonly { readonly buckets: readonly Bucket[] }[],
): readonly string[] {
  const sums = new Map(starts.map((start) => [start, "0.00"]));
  for (const { buckets } of series)
    for (const { start, fiat_amount } of buckets) {
      const sum = sums.get(start);
      if (sum !== undefined && fiat_amount !== null)
        sums.set(start, addDecimals(sum, fiat_amount) ?? sum);
    }
  return [...sums.values()];
}

/** The sum of the decimals; null counts as zero. */
export function sumOf(amounts: readonly (string | null)[]): string {
  return amounts.reduce<string>(
    (sum, amount) => (amount === null ? sum : (addDecimals(sum, amount) ?? sum)),
    "0.00",
  );
}

const dayName = new Intl.DateTimeFormat(locale, {
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

/** A bucket's axis label: its first day (UTC). */
export function bucketName(start: string): string {
  return dayName.format(new Date(start));
}

/** A duration in one unit: `840 ms`, `12 s`, `4 min`, `3 h`. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 1) return t("{count} ms", { count: Math.round(seconds * 1_000) });
  if (seconds < 10) return t("{count} s", { count: Math.round(seconds * 10) / 10 });
  if (seconds < 120) return t("{count} s", { count: Math.round(seconds) });
  if (seconds < 7_200) return t("{count} min", { count: Math.round(seconds / 60) });
  return t("{count} h", { count: Math.round(seconds / 3_600) });
}
