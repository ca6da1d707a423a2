import { type Clock, type Instant, microsPerSecond } from "../../platform/kernel/clock.ts";
import { parseQueryTimestamp } from "../../platform/kernel/query-timestamp.ts";
import { reject } from "../../platform/kernel/rejection.ts";

/** What a statistic is cut into: hours, days or weeks (from Monday) of UTC. */
export type Bucket = "hour" | "day" | "week";

/** How long each is. */
export const bucketSeconds: Readonly<Record<Bucket, number>> = {
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};
/** Most buckets that one answer may have: a year of days, two weeks of hours. */
const bucketsMax = 400;
/** Without a beginning: so many buckets, the present one among them. */
const bucketsUnlessTold = 30;
/** 1970-01-05 was a Monday. */
const firstMonday = 4 * 86_400;

/** From the beginning of the first bucket up to, and without, `to`. */
export type TimeSpan = { readonly bucket: Bucket; readonly from: Instant; readonly to: Instant };

/**
 * Reads the filters `from`, `to` and `bucket`; default: the last 30 days, in days. `from` is moved back to the beginning of its
 * bucket. Rejects with invalidValue where the end is not after the beginning, or more than 400 buckets are asked for.
 */
export function readTimeSpan(
  filters: ReadonlyMap<string, string>,
  clock: Pick<Clock, "now">,
): TimeSpan {
  const bucket = (filters.get("bucket") ?? "day") as Bucket;
  const to = readTime(filters, "to") ?? ((clock.now() + 1) as Instant);
  const length = bucketSeconds[bucket] * microsPerSecond;
  const given = readTime(filters, "from");
  const from = startOf(given ?? ((to - (bucketsUnlessTold - 1) * length - 1) as Instant), bucket);
  if (to <= from)
    reject("invalidValue", "The end must be after the beginning.", { parameter: "filter[to]" });
  if (to - from > bucketsMax * length)
    reject("invalidValue", `At most ${bucketsMax} ${bucket}s are told at once.`, {
      parameter: "filter[from]",
    });
  return { bucket, from, to };
}

/** The beginning of the bucket that holds an instant. */
function startOf(at: Instant, bucket: Bucket): Instant {
  const length = bucketSeconds[bucket] * microsPerSecond;
  const origin = bucket === "week" ? firstMonday * microsPerSecond : 0;
  return (Math.floor((at - origin) / length) * length + origin) as Instant;
}

/** Its form was checked with the query. */
function readTime(filters: ReadonlyMap<string, string>, name: string): Instant | null {
  const text = filters.get(name);
  return text === undefined ? null : parseQueryTimestamp(text);
}
