import {
  type Clock,
  clampInstant,
  type Instant,
  microsPerSecond,
} from "../../platform/kernel/clock.ts";
import { parseQueryTimestamp } from "../../platform/kernel/query-timestamp.ts";
import { reject } from "../../platform/kernel/rejection.ts";

/** The buckets of statistics: hours, days or weeks (from Monday) in UTC. */
export type Bucket = "hour" | "day" | "week";

/** Length of each bucket. */
export const bucketSeconds: Readonly<Record<Bucket, number>> = {
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};
/** Most buckets of one response: a year of days, two weeks of hours. */
const bucketsMax = 400;
/** Default number of buckets, including the current one. */
const bucketsUnlessTold = 30;
/** 1970-01-05 was a Monday. */
const firstMonday = 4 * 86_400;

/** From the start of the first bucket up to `to`, exclusive. */
export type TimeSpan = { readonly bucket: Bucket; readonly from: Instant; readonly to: Instant };

/**
 * Parses the filters `from`, `to` and `bucket`; default: the last 30 days, in days. Moves `from` back to the start of its bucket.
 * Rejects with invalidValue when the end is not after the start, or with more than 400 buckets.
 */
export function readTimeSpan(
  filters: ReadonlyMap<string, string>,
  clock: Pick<Clock, "now">,
): TimeSpan {
  const bucket = (filters.get("bucket") ?? "day") as Bucket;
  const to = readTime(filters, "to") ?? ((clock.now() + 1) as Instant);
  const length = bucketSeconds[bucket] * microsPerSecond;
  const requestedFrom = readTime(filters, "from");
  const from = startOf(
    requestedFrom ?? ((to - (bucketsUnlessTold - 1) * length - 1) as Instant),
    bucket,
  );
  if (to <= from)
    reject("invalidValue", "The end must be after the start.", { parameter: "filter[to]" });
  if (to - from > bucketsMax * length)
    reject("invalidValue", `A time span has at most ${bucketsMax} ${bucket}s.`, {
      parameter: "filter[from]",
    });
  return { bucket, from, to };
}

/** The start of the bucket that contains an instant. */
function startOf(at: Instant, bucket: Bucket): Instant {
  const length = bucketSeconds[bucket] * microsPerSecond;
  const origin = bucket === "week" ? firstMonday * microsPerSecond : 0;
  return (Math.floor((at - origin) / length) * length + origin) as Instant;
}

/** The query has validated its form. Extreme times are clamped, as in lists. */
function readTime(filters: ReadonlyMap<string, string>, name: string): Instant | null {
  const text = filters.get(name);
  const at = text === undefined ? null : parseQueryTimestamp(text);
  return at === null ? null : clampInstant(at);
}
