import { BarChart } from "@mantine/charts";
import { ChartFrame } from "../../components/chart-frame.tsx";
import { isPositive, truncateDecimal } from "../../components/decimals.ts";
import { splitDecimal } from "../../components/split-decimal.ts";
import type { PlainText } from "../../language/catalogs.ts";
import { locale } from "../../language/language.ts";
import { t } from "../../language/t.ts";
import { bucketName, type SpanName, spans, sumByBucket, sumOf } from "./buckets.ts";
import { useBuckets, useFees, useVolume } from "./use-statistics.ts";

type Fiat = { readonly id: string; readonly code: string };

const volumeSeries = [
  { name: "in", label: t("Received"), color: "var(--chart-one)" },
  { name: "out", label: t("Paid out"), color: "var(--chart-two)" },
];

/** Received and paid-out amounts per bucket, in the fiat currency. */
export function VolumeChart({ span, fiat }: { readonly span: SpanName; readonly fiat: Fiat }) {
  const starts = useBuckets(span);
  const query = useVolume(span, fiat.id);
  const { data = [] } = query;
  const of = (direction: string) =>
    data.filter(({ attributes }) => attributes.direction === direction).map(attributesOf);
  const [received, paidOut] = [of("deposit"), of("payout")];
  const receivedBy = sumByBucket(starts, received);
  const paidOutBy = sumByBucket(starts, paidOut);
  const total = (series: typeof received): string =>
    fiatText(sumOf(series.map(({ fiat_amount }) => fiat_amount)), fiat.code);
  return (
    <ChartFrame
      title="Volume"
      query={query}
      summary={t("{received} received and {paidOut} paid out in {period}, at current prices.", {
        received: total(received),
        paidOut: total(paidOut),
        period: spans[span].period,
      })}
      empty={t("No confirmed payments in this period.")}
      axes={axesText(span, fiat.code)}
      table={
        data.length === 0
          ? null
          : {
              headers: [
                spans[span].size === "week" ? "Week of" : "Day",
                "Received",
                "Paid out",
              ] satisfies readonly PlainText[],
              rows: starts
                .map((start, index) => ({
                  id: start,
                  cells: [
                    bucketName(start),
                    fiatText(receivedBy[index] ?? "0", fiat.code),
                    fiatText(paidOutBy[index] ?? "0", fiat.code),
                  ],
                }))
                .toReversed(),
            }
      }
    >
      <BarChart
        className="chart"
        h={260}
        data={starts.map((start, index) => ({
          start: bucketName(start),
          in: plotted(receivedBy[index]),
          out: plotted(paidOutBy[index]),
        }))}
        dataKey="start"
        series={volumeSeries}
        withLegend
        tickLine="none"
        valueFormatter={(value) => `${cents.format(value)} ${fiat.code}`}
        yAxisProps={{ width: 64, tickFormatter: (value: number) => compact.format(value) }}
        barChartProps={{ title: t("Volume by time"), barGap: 0, barCategoryGap: "12%" }}
      />
    </ChartFrame>
  );
}

/** Commission and network fees per bucket, in the fiat currency. */
export function FeeChart({ span, fiat }: { readonly span: SpanName; readonly fiat: Fiat }) {
  const starts = useBuckets(span);
  const query = useFees(span, fiat.id);
  const { data = [] } = query;
  const of = (fee: string) =>
    data.filter(({ attributes }) => attributes.fee === fee).map(attributesOf);
  const [commission, network] = [of("commission"), of("network")];
  const [commissionBy, networkBy] = [sumByBucket(starts, commission), sumByBucket(starts, network)];
  const total = (series: typeof commission): string =>
    fiatText(sumOf(series.map(({ fiat_amount }) => fiat_amount)), fiat.code);
  return (
    <ChartFrame
      title="Fees"
      query={query}
      summary={t(
        "{commission} commission and {network} network fees in {period}, at current prices.",
        {
          commission: total(commission),
          network: total(network),
          period: spans[span].period,
        },
      )}
      empty={t("No fees in this period.")}
      axes={axesText(span, fiat.code)}
      table={
        data.length === 0
          ? null
          : {
              headers: [
                spans[span].size === "week" ? "Week of" : "Day",
                "Commission",
                "Network fees",
              ] satisfies readonly PlainText[],
              rows: starts
                .map((start, index) => ({
                  id: start,
                  cells: [
                    bucketName(start),
                    fiatText(commissionBy[index] ?? "0", fiat.code),
                    fiatText(networkBy[index] ?? "0", fiat.code),
                  ],
                }))
                .filter((_row, index) =>
                  [commissionBy[index], networkBy[index]].some((sum) => isPositive(sum ?? "0")),
                )
                .toReversed(),
            }
      }
    >
      <BarChart
        className="chart"
        h={220}
        type="stacked"
        data={starts.map((start, index) => ({
          start: bucketName(start),
          commission: plotted(commissionBy[index]),
          network: plotted(networkBy[index]),
        }))}
        dataKey="start"
        series={[
          { name: "commission", label: t("Commission"), color: "var(--chart-one)" },
          { name: "network", label: t("Network fees"), color: "var(--chart-two)" },
        ]}
        withLegend
        tickLine="none"
        valueFormatter={(value) => `${cents.format(value)} ${fiat.code}`}
        yAxisProps={{ width: 64, tickFormatter: (value: number) => compact.format(value) }}
        barChartProps={{ title: t("Fees by time") }}
      />
    </ChartFrame>
  );
}

function axesText(span: SpanName, code: string): string {
  return spans[span].size === "week"
    ? t("Weeks in UTC, amounts in {code}", { code })
    : t("Days in UTC, amounts in {code}", { code });
}

/** Formats the tooltips of the bars. */
const cents = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const compact = new Intl.NumberFormat(locale, { notation: "compact" });

function attributesOf<Attributes>({ attributes }: { readonly attributes: Attributes }): Attributes {
  return attributes;
}

/** The height of a bar. Rounding is harmless here because the number is only drawn. */
function plotted(amount: string | undefined): number {
  return Number(amount ?? "0");
}

/** Fees have more digits, so that their sum is rounded once, here. */
function fiatText(amount: string, code: string): string {
  const { whole, fraction } = splitDecimal(truncateDecimal(amount, 2), { fractionMin: 2 });
  return `${whole}${fraction} ${code}`;
}
