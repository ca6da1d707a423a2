import { BarChart } from "@mantine/charts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { ChartFrame } from "../../components/chart-frame.tsx";
import { locale } from "../../language/language.ts";
import { plural, t } from "../../language/t.ts";
import { bucketName, durationText, type SpanName, spans } from "./buckets.ts";
import { useBuckets, useCallbackStatistic, useConfirmationTimes } from "./use-statistics.ts";

/** Confirmation times by currency: median and 90th percentile. */
export function ConfirmationChart({ span }: { readonly span: SpanName }) {
  const currencies = useCurrencies();
  const query = useConfirmationTimes(span);
  const { data = [] } = query;
  const rows = data.map(({ id, attributes, relationships }) => ({
    id,
    attributes,
    code: codeOf(currencies, relationships.currency.data.id) ?? "",
  }));
  const count = rows.reduce((sum, { attributes }) => sum + attributes.count, 0);
  return (
    <ChartFrame
      title="Confirmation times"
      query={query}
      summary={plural(
        count,
        "Time from detection to confirmation. {count} payment confirmed in {period}.",
        "Time from detection to confirmation. {count} payments confirmed in {period}.",
        { period: spans[span].period },
      )}
      empty={t("No confirmed payments in this period.")}
      table={
        rows.length === 0
          ? null
          : {
              headers: ["Currency", "Payments", "Median", "90th percentile", "99th percentile"],
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
          { name: "p50", label: t("Median"), color: "var(--chart-one)" },
          { name: "p90", label: t("90th percentile"), color: "var(--chart-two)" },
        ]}
        withLegend
        tickLine="none"
        valueFormatter={durationText}
        yAxisProps={{ width: 84 }}
        barChartProps={{ title: t("Confirmation times by currency") }}
      />
    </ChartFrame>
  );
}

/** Callback deliveries per bucket: first attempt, after retries, not delivered yet, failed. */
export function CallbackChart({ span }: { readonly span: SpanName }) {
  const starts = useBuckets(span);
  const query = useCallbackStatistic(span);
  const { data = [] } = query;
  const series = data.map(({ attributes }) => attributes);
  const counts = starts.map((start) => {
    const own = series.flatMap(({ buckets }) => buckets.filter((bucket) => bucket.start === start));
    const sum = (pick: (bucket: (typeof own)[number]) => number): number =>
      own.reduce((total, bucket) => total + pick(bucket), 0);
    return {
      start,
      once: sum((bucket) => bucket.delivered_at_once),
      later: sum((bucket) => bucket.delivered_later),
      waiting: sum((bucket) => bucket.waiting),
      failed: sum((bucket) => bucket.failed),
    };
  });
  const whole = (pick: (count: (typeof series)[number]) => number): number =>
    series.reduce((total, count) => total + pick(count), 0);
  const delivered = whole((count) => count.delivered_at_once + count.delivered_later);
  const failed = whole((count) => count.failed);
  const waiting = whole((count) => count.waiting);
  const all = delivered + failed + waiting;
  const summary =
    all === 0
      ? t("No webhooks in {period}.", { period: spans[span].period })
      : t("{share} delivered in {period}, {waiting} not delivered yet, {failed} failed.", {
          share: percent.format(delivered / all),
          period: spans[span].period,
          waiting,
          failed,
        });
  return (
    <ChartFrame
      title="Webhooks"
      query={query}
      summary={summary}
      empty={t("No webhooks in this period.")}
      axes={spans[span].size === "week" ? t("Weeks in UTC") : t("Days in UTC")}
      table={
        series.length === 0
          ? null
          : {
              headers: [
                spans[span].size === "week" ? "Week of" : "Day",
                "First attempt",
                "After retries",
                "Not delivered yet",
                "Failed",
              ],
              rows: counts
                .map((count) => ({
                  id: count.start,
                  cells: [
                    bucketName(count.start),
                    ...[count.once, count.later, count.waiting, count.failed].map(String),
                  ],
                }))
                .toReversed(),
            }
      }
    >
      <BarChart
        className="chart"
        h={220}
        type="stacked"
        data={counts.map((count) => ({ ...count, start: bucketName(count.start) }))}
        dataKey="start"
        series={[
          { name: "once", label: t("First attempt"), color: "var(--chart-one)" },
          { name: "later", label: t("After retries"), color: "var(--chart-two)" },
          { name: "waiting", label: t("Not delivered yet"), color: "var(--chart-four)" },
          { name: "failed", label: t("Failed"), color: "var(--chart-three)" },
        ]}
        withLegend
        tickLine="none"
        yAxisProps={{ allowDecimals: false }}
        barChartProps={{ title: t("Webhooks by time") }}
      />
    </ChartFrame>
  );
}

const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
