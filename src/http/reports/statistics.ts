import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import { type ListQuery, mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { FilterName, ResourceDefinition } from "../../platform/resources/define-resource.ts";
import type { AmountSeries } from "../../reports/statistics/amount-series.ts";
import {
  type AmountStatistic,
  type CallbackCounts,
  type CallbackSeries,
  type ConfirmationSeries,
  type Percentiles,
  readCallbackStatistic,
  readConfirmationTimes,
  readFees,
  readVolume,
  type StatisticsContext,
} from "../../reports/statistics/read-statistics.ts";
import type { TimeSpan } from "../../reports/statistics/time-span.ts";
import { listRoute, type Route } from "../server/route.ts";
import {
  callbackStatisticResource,
  confirmationTimeResource,
  feeResource,
  volumeResource,
} from "./statistics-definitions.ts";

const spanText =
  "Over at most 400 buckets: filter[from], filter[to], filter[bucket]; default: the last 30 days.";

/** `/statistics/volume/`, `/fee/`, `/confirmation-time/` and `/callback/`: of the wallets that the caller may view. */
export function statisticsRoutes(context: StatisticsContext): readonly Route[] {
  const { currencies } = context;
  return [
    listRoute({
      path: "/statistics/volume/",
      summary: "Get incoming and outgoing volume",
      description: spanText,
      resource: volumeResource,
      list: async ({ principal }, query) => {
        const found = await readVolume(context, principal, query.filters);
        return mapPage(listInMemory(found.series, amountList, ownQuery(query)), (series) => ({
          type: "volume-statistic",
          id: series.id,
          ...renderAmounts(found, series, currencies),
        }));
      },
    }),
    listRoute({
      path: "/statistics/fee/",
      summary: "Get fees and commission",
      description: spanText,
      resource: feeResource,
      list: async ({ principal }, query) => {
        const found = await readFees(context, principal, query.filters);
        return mapPage(listInMemory(found.series, amountList, ownQuery(query)), (series) => {
          const { attributes, relationships } = renderAmounts(found, series, currencies);
          return {
            type: "fee-statistic",
            id: series.id,
            relationships,
            attributes: { fee: series.kind, ...attributes },
          };
        });
      },
    }),
    listRoute({
      path: "/statistics/confirmation-time/",
      summary: "Get confirmation times",
      description: spanText,
      resource: confirmationTimeResource,
      list: async ({ principal }, query) => {
        const { span, series } = await readConfirmationTimes(context, principal, query.filters);
        return mapPage(listInMemory(series, confirmationList, ownQuery(query)), (row) =>
          renderConfirmation(span, row),
        );
      },
    }),
    listRoute({
      path: "/statistics/callback/",
      summary: "Get callback outcomes",
      description: spanText,
      resource: callbackStatisticResource,
      list: async ({ principal }, query) => {
        const { span, series } = await readCallbackStatistic(context, principal, query.filters);
        return mapPage(listInMemory(series, callbackList, ownQuery(query)), (row) =>
          renderCallbacks(span, row),
        );
      },
    }),
  ];
}

/** The rows read already satisfy these filters. */
const spanFilterNames = ["from", "to", "bucket", "wallet", "fiat"] as const;
const spanFilters: ReadonlySet<string> = new Set(spanFilterNames);

type OwnFilter<Resource extends ResourceDefinition> = Exclude<
  FilterName<Resource>,
  (typeof spanFilterNames)[number]
>;

function ownQuery(query: ListQuery): ListQuery {
  const own = [...query.filters].filter(([name]) => !spanFilters.has(name));
  return { ...query, filters: new Map(own) };
}

const ofCurrency = ({ currency }: { readonly currency: string }, text: string): boolean =>
  currency === text;
const ofDirection = ({ direction }: { readonly direction: string }, text: string): boolean =>
  direction === text;
const amountList: MemoryList<AmountSeries, OwnFilter<typeof feeResource>> = {
  id: ({ id }) => id,
  filters: {
    currency: ofCurrency,
    direction: ofDirection,
    fee: ({ kind }: AmountSeries, text: string) => kind === text,
  },
  sort: { id: ({ id }: AmountSeries) => id, count: ({ count }: AmountSeries) => count },
};
const confirmationList: MemoryList<
  ConfirmationSeries,
  OwnFilter<typeof confirmationTimeResource>
> = {
  id: ({ id }) => id,
  filters: { currency: ofCurrency, direction: ofDirection },
  sort: {
    id: ({ id }: ConfirmationSeries) => id,
    count: ({ whole }: ConfirmationSeries) => whole.count,
  },
};
const callbackList = {
  id: ({ id }: CallbackSeries) => id,
  filters: {},
  sort: { id: ({ id }: CallbackSeries) => id },
};

function renderSpan({ from, to, bucket }: TimeSpan) {
  return { from: formatTimestamp(from), to: formatTimestamp(to), bucket };
}

function renderAmounts(
  { span, fiat, fiatDigits }: AmountStatistic,
  series: AmountSeries,
  currencies: CurrencyRegistry,
) {
  const { exp } = currencies.get(series.currency);
  const amounts = (bucket: { count: number; units: bigint; fiatUnits: bigint | null }) => ({
    count: bucket.count,
    amount: formatDecimal(bucket.units, exp),
    fiat_amount: bucket.fiatUnits === null ? null : formatDecimal(bucket.fiatUnits, fiatDigits),
  });
  return {
    attributes: {
      direction: series.direction,
      ...renderSpan(span),
      fiat: fiat.alpha,
      ...amounts(series),
      buckets: series.buckets.map((bucket) => ({
        start: formatTimestamp(bucket.start),
        ...amounts(bucket),
      })),
    },
    relationships: { currency: toOne("currency", series.currency) },
  };
}

function renderConfirmation(span: TimeSpan, series: ConfirmationSeries) {
  const times = ({ count, p50, p90, p99 }: Percentiles) => ({
    count,
    p50_seconds: p50,
    p90_seconds: p90,
    p99_seconds: p99,
  });
  return {
    type: "confirmation-time-statistic",
    id: series.id,
    attributes: {
      direction: series.direction,
      ...renderSpan(span),
      ...times(series.whole),
      buckets: series.buckets.map((bucket) => ({ ...startOf(bucket), ...times(bucket) })),
    },
    relationships: { currency: toOne("currency", series.currency) },
  };
}

function renderCallbacks(span: TimeSpan, series: CallbackSeries) {
  const counts = (row: CallbackCounts) => ({
    delivered_at_once: row.deliveredAtOnce,
    delivered_later: row.deliveredLater,
    failed: row.failed,
    waiting: row.waiting,
    p50_seconds: row.p50,
    p90_seconds: row.p90,
    p99_seconds: row.p99,
  });
  return {
    type: "callback-statistic",
    id: series.id,
    attributes: {
      ...renderSpan(span),
      ...counts(series.whole),
      buckets: series.buckets.map((bucket) => ({ ...startOf(bucket), ...counts(bucket) })),
    },
  };
}

function startOf({ start }: { readonly start: Instant }) {
  return { start: formatTimestamp(start) };
}
