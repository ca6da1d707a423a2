import { BarChart } from "@mantine/charts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { ChartFrame } from "../../components/chart-frame.tsx";
import { bucketName, durationText, type SpanName, spans } from "./fill-buckets.ts";
import { useBuckets, useCallbackStatistic, useConfirmationTimes } from "./use-statistics.ts";

/** How long payments took to be confirmed, by currency: the middle one, and the slowest tenth. */
export function ConfirmationChart({ span }: { readonly span: SpanName }) {
  const currencies = useCurrencies();
  const read = useConfirmationTimes(span);
  const { data = [] } = read;
  const rows = data.map(({ id, attributes, relationships }) => ({
    id,
    attributes,
    code: codeOf(currencies, relationships.currency.data.id) ?? "",
  }));
  const count = rows.reduce((sum, { attributes }) => sum + attributes.count, 0);
  return (
    <ChartFrame
      title="Confirmation times"
      read={read}
      summary={`${count} ${count === 1 ? "payment was" : "payments were"} confirmed in ${spans[span].label}, from first seen to confirmed.`}
      empty="No payment was confirmed in this time."
      table={
        rows.length === 0
          ? null
          : {
              headers: ["Currency", "Payments", "Half within", "9 of 10 within", "99 % within"],
              rows: rows.map(({ id, code, attributes }) => ({
                id,
                cells: [
                  code,
                  String(attributes.count),
                  ...[attributes.p50_seconds, attributes.p90_seconds, attributes.p99_seconds].map(
                    durationText,
                  ),
                ],
              })),
            }
      }
    >
      <BarChart
        className="chart"
        h={220}
        orientation="vertical"
        data={rows.map(({ code, attributes }) => ({
          code,
          p50: attributes.p50_seconds,
          p90: attributes.p90_seconds,
        }))}
        dataKey="code"
        series={[
          { name: "p50", label: "Half within", color: "var(--chart-one)" },
          { name: "p90", label: "9 of 10 within", color: "var(--chart-two)" },
        ]}
        withLegend
        tickLine="none"
        valueFormatter={durationText}
        yAxisProps={{ width: 84 }}
        barChartProps={{ title: "Confirmation times by currency" }}
      />
    </ChartFrame>
  );
}

/** What became of callbacks, bar by bar: delivered at once, delivered later, given up. */
export function CallbackChart({ span }: { readonly span: SpanName }) {
  const starts = useBuckets(span);
  const read = useCallbackStatistic(span);
  const { data = [] } = read;
  const series = data.map(({ attributes }) => attributes);
  const counts = starts.map((start) => {
    const own = series.flatMap(({ buckets }) => buckets.filter((one) => one.start === start));
    const sum = (pick: (bucket: (typeof own)[number]) => number): number =>
      own.reduce((total, bucket) => total + pick(bucket), 0);
    return {
      start,
      once: sum((bucket) => bucket.delivered_at_once),
      later: sum((bucket) => bucket.delivered_later),
      failed: sum((bucket) => bucket.failed),
    };
  });
  const whole = (pick: (one: (typeof series)[number]) => number): number =>
    series.reduce((total, one) => total + pick(one), 0);
  const delivered = whole((one) => one.delivered_at_once + one.delivered_later);
  const failed = whole((one) => one.failed);
  const share = delivered + failed === 0 ? "–" : percent.format(delivered / (delivered + failed));
  return (
    <ChartFrame
      title="Callbacks"
      read={read}
      summary={`${share} of callbacks reached their receiver in ${spans[span].label}; ${failed} were given up.`}
      empty="No callback was made in this time."
      table={
        series.length === 0
          ? null
          : {
              headers: [
                spans[span].size === "week" ? "Week of" : "Day",
                "At once",
                "After retries",
                "Given up",
              ],
              rows: counts
                .map(({ start, once, later, failed: lost }) => ({
                  id: start,
                  cells: [bucketName(start), String(once), String(later), String(lost)],
                }))
                .toReversed(),
            }
      }
    >
      <BarChart
        className="chart"
        h={220}
        type="stacked"
        data={counts.map((one) => ({ ...one, start: bucketName(one.start) }))}
        dataKey="start"
        series={[
          { name: "once", label: "At once", color: "var(--chart-one)" },
          { name: "later", label: "After retries", color: "var(--chart-two)" },
          { name: "failed", label: "Given up", color: "var(--chart-three)" },
        ]}
        withLegend
        tickLine="none"
        yAxisProps={{ allowDecimals: false }}
        barChartProps={{ title: "Callbacks by time" }}
      />
    </ChartFrame>
  );
}

const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
