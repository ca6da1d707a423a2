import { BarChart } from "@mantine/charts";
import { ChartFrame } from "../../components/chart-frame.tsx";
import { isPositive } from "../../components/decimals.ts";
import { splitDecimal } from "../../components/split-decimal.ts";
import { bucketName, type SpanName, spans, sumByBucket, sumOf } from "./fill-buckets.ts";
import { useBuckets, useFees, useVolume } from "./use-statistics.ts";

type Fiat = { readonly id: string; readonly code: string };

const volumeSeries = [
  { name: "in", label: "Came in", color: "var(--chart-one)" },
  { name: "out", label: "Paid out", color: "var(--chart-two)" },
];

/** How much money came and went, in the fiat currency, bar by bar. */
export function VolumeChart({ span, fiat }: { readonly span: SpanName; readonly fiat: Fiat }) {
  const starts = useBuckets(span);
  const read = useVolume(span, fiat.id);
  const { data = [] } = read;
  const of = (direction: string) =>
    data.filter(({ attributes }) => attributes.direction === direction).map(attributesOf);
  const [came, went] = [of("deposit"), of("payout")];
  const [cameBy, wentBy] = [sumByBucket(starts, came), sumByBucket(starts, went)];
  const total = (series: typeof came): string =>
    fiatText(sumOf(series.map(({ fiat_amount }) => fiat_amount)), fiat.code);
  return (
    <ChartFrame
      title="Volume"
      read={read}
      summary={`${total(came)} came in and ${total(went)} was paid out in ${spans[span].label}, at current prices.`}
      empty="No money was confirmed in this time."
      table={
        data.length === 0
          ? null
          : {
              headers: [spans[span].size === "week" ? "Week of" : "Day", "Came in", "Paid out"],
              rows: starts
                .map((start, index) => ({
                  id: start,
                  cells: [
                    bucketName(start),
                    fiatText(cameBy[index] ?? "0", fiat.code),
                    fiatText(wentBy[index] ?? "0", fiat.code),
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
          in: plotted(cameBy[index]),
          out: plotted(wentBy[index]),
        }))}
        dataKey="start"
        series={volumeSeries}
        withLegend
        tickLine="none"
        valueFormatter={(value) => `${cents.format(value)} ${fiat.code}`}
        yAxisProps={{ width: 64, tickFormatter: (value: number) => compact.format(value) }}
        barChartProps={{ title: "Volume by time", barGap: 0, barCategoryGap: "12%" }}
      />
    </ChartFrame>
  );
}

/** What was charged, in the fiat currency: the operator's commission and the network's fee of payouts. */
export function FeeChart({ span, fiat }: { readonly span: SpanName; readonly fiat: Fiat }) {
  const starts = useBuckets(span);
  const read = useFees(span, fiat.id);
  const { data = [] } = read;
  const of = (fee: string) =>
    data.filter(({ attributes }) => attributes.fee === fee).map(attributesOf);
  const [commission, network] = [of("commission"), of("network")];
  const [ours, theirs] = [sumByBucket(starts, commission), sumByBucket(starts, network)];
  const total = (series: typeof commission): string =>
    fiatText(sumOf(series.map(({ fiat_amount }) => fiat_amount)), fiat.code);
  return (
    <ChartFrame
      title="Fees"
      read={read}
      summary={`${total(commission)} of commission and ${total(network)} of network fees were charged in ${spans[span].label}.`}
      empty="Nothing was charged in this time."
      table={
        data.length === 0
          ? null
          : {
              headers: [
                spans[span].size === "week" ? "Week of" : "Day",
                "Commission",
                "Network fees",
              ],
              rows: starts
                .map((start, index) => ({
                  id: start,
                  cells: [
                    bucketName(start),
                    fiatText(ours[index] ?? "0", fiat.code),
                    fiatText(theirs[index] ?? "0", fiat.code),
                  ],
                }))
                .filter((_row, index) =>
                  [ours[index], theirs[index]].some((sum) => isPositive(sum ?? "0")),
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
          commission: plotted(ours[index]),
          network: plotted(theirs[index]),
        }))}
        dataKey="start"
        series={[
          { name: "commission", label: "Commission", color: "var(--chart-one)" },
          { name: "network", label: "Network fees", color: "var(--chart-two)" },
        ]}
        withLegend
        tickLine="none"
        valueFormatter={(value) => `${cents.format(value)} ${fiat.code}`}
        yAxisProps={{ width: 64, tickFormatter: (value: number) => compact.format(value) }}
        barChartProps={{ title: "Fees by time" }}
      />
    </ChartFrame>
  );
}

/** What a drawn bar says when it is pointed at. */
const cents = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const compact = new Intl.NumberFormat(undefined, { notation: "compact" });

function attributesOf<Attributes>({ attributes }: { readonly attributes: Attributes }): Attributes {
  return attributes;
}

/** How high a bar is: the only place where an amount becomes a number, to be drawn and no more. */
function plotted(amount: string | undefined): number {
  return Number(amount ?? "0");
}

function fiatText(amount: string, code: string): string {
  const { whole, fraction } = splitDecimal(amount, { fractionMin: 2 });
  return `${whole}${fraction} ${code}`;
}
