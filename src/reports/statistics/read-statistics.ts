import { mayView, type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import {
  type AmountRow,
  type AmountSeries,
  amountSeries,
  type Direction,
  directionOf,
  ratesOf,
} from "./amount-series.ts";
import {
  type CallbackRow,
  type ConfirmationRow,
  readCallbackRows,
  readConfirmationRows,
  readFeeRows,
  readVolumeRows,
  type StatisticScope,
} from "./statistics.store.ts";
import { readTimeSpan, type TimeSpan } from "./time-span.ts";

export type StatisticsContext = {
  readonly db: Executor;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  /** The price of one currency in another now. */
  readonly findRate: (
    left: CurrencyId,
    right: CurrencyId,
  ) => Promise<{ readonly bid: Rate } | null>;
};

/** The list's filters, already validated by form. */
export type StatisticFilters = ReadonlyMap<string, string>;

/** Amounts over a time span, with their value in a fiat currency at current prices. */
export type AmountStatistic = {
  readonly span: TimeSpan;
  readonly fiat: Currency;
  /** Of the values: `fiatUnits` are units of 10^-`fiatDigits`. */
  readonly fiatDigits: number;
  readonly series: readonly AmountSeries[];
};

const dollar = "840";
/** A day's fees can be worth less than a cent, so sums of them round at the end. */
const feeDigits = 8;

/** Confirmed incoming and outgoing amounts. Rejects with invalidValue, noPermissionToView. */
export async function readVolume(
  context: StatisticsContext,
  principal: Principal,
  filters: StatisticFilters,
): Promise<AmountStatistic> {
  const scope = readScope(context, principal, filters);
  const rows = await readVolumeRows(context.db, scope);
  return amountStatistic(
    context,
    scope.span,
    filters,
    rows.map((row) => ({ ...row, kind: "volume" })),
  );
}

/** Commission, and the network fees of payouts, with values of eight digits. Rejects like `readVolume`. */
export async function readFees(
  context: StatisticsContext,
  principal: Principal,
  filters: StatisticFilters,
): Promise<AmountStatistic> {
  const scope = readScope(context, principal, filters);
  const rows = await readFeeRows(context.db, scope);
  return amountStatistic(context, scope.span, filters, rows, feeDigits);
}

async function amountStatistic(
  { currencies, findRate }: StatisticsContext,
  span: TimeSpan,
  filters: StatisticFilters,
  rows: readonly AmountRow[],
  digits?: number,
): Promise<AmountStatistic> {
  const fiat = currencies.find(filters.get("fiat") ?? dollar);
  if (fiat?.kind !== "fiat")
    reject("invalidValue", "This must be the id of a fiat currency.", {
      parameter: "filter[fiat]",
    });
  const rates = await ratesOf(rows, fiat.id, findRate);
  const fiatDigits = digits ?? fiat.exp;
  return { span, fiat, fiatDigits, series: amountSeries(rows, currencies, fiatDigits, rates) };
}

/** A duration: over the whole span, or in one bucket. */
export type Percentiles = {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
};

export type ConfirmationSeries = {
  readonly id: string;
  readonly direction: Direction;
  readonly currency: CurrencyId;
  readonly whole: Percentiles;
  readonly buckets: readonly (Percentiles & { readonly start: Instant })[];
};

/** How long payments on a chain took to confirm, in seconds. Rejects like `readVolume`. */
export async function readConfirmationTimes(
  context: StatisticsContext,
  principal: Principal,
  filters: StatisticFilters,
): Promise<{ readonly span: TimeSpan; readonly series: readonly ConfirmationSeries[] }> {
  const scope = readScope(context, principal, filters);
  const rows = await readConfirmationRows(context.db, scope);
  const groups = Map.groupBy(rows, (row) => `${directionOf(row.op_type)}-${row.currency}`);
  const series = [...groups].map(([id, own]) => {
    const whole = present(
      own.find(({ start }) => start === null),
      `the whole of ${id}`,
    );
    return {
      id,
      direction: directionOf(whole.op_type),
      currency: context.currencies.get(whole.currency).id,
      whole: percentiles(whole),
      buckets: own.flatMap((row) =>
        row.start === null ? [] : [{ start: row.start, ...percentiles(row) }],
      ),
    };
  });
  return { span: scope.span, series };
}

function percentiles({ count, seconds: [p50, p90, p99] }: ConfirmationRow): Percentiles {
  return { count: Number(count), p50, p90, p99 };
}

export type CallbackCounts = {
  readonly deliveredAtOnce: number;
  readonly deliveredLater: number;
  readonly failed: number;
  readonly waiting: number;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
};

export type CallbackSeries = {
  readonly id: "deposit" | "payout";
  readonly whole: CallbackCounts;
  readonly buckets: readonly (CallbackCounts & { readonly start: Instant })[];
};

/** Outcomes of callbacks, and how long their delivery took, in seconds. Rejects like `readVolume`. */
export async function readCallbackStatistic(
  context: StatisticsContext,
  principal: Principal,
  filters: StatisticFilters,
): Promise<{ readonly span: TimeSpan; readonly series: readonly CallbackSeries[] }> {
  const scope = readScope(context, principal, filters);
  const rows = await readCallbackRows(context.db, scope);
  const groups = Map.groupBy(rows, (row) => row.object_type);
  const series = [...groups].map(([id, own]) => ({
    id,
    whole: counts(
      present(
        own.find(({ start }) => start === null),
        `the whole of ${id}`,
      ),
    ),
    buckets: own.flatMap((row) =>
      row.start === null ? [] : [{ start: row.start, ...counts(row) }],
    ),
  }));
  return { span: scope.span, series };
}

function counts(row: CallbackRow): CallbackCounts {
  return {
    deliveredAtOnce: Number(row.delivered_at_once),
    deliveredLater: Number(row.delivered_later),
    failed: Number(row.failed),
    waiting: Number(row.waiting),
    p50: row.seconds?.[0] ?? null,
    p90: row.seconds?.[1] ?? null,
    p99: row.seconds?.[2] ?? null,
  };
}

function readScope(
  { clock }: StatisticsContext,
  principal: Principal,
  filters: StatisticFilters,
): StatisticScope {
  const wallet = filters.get("wallet");
  if (wallet !== undefined && !mayView(principal, wallet))
    reject("noPermissionToView", "You don't have access to this wallet.", {
      parameter: "filter[wallet]",
    });
  return {
    accountId: principal.accountId,
    wallets: wallet === undefined ? visibleWallets(principal) : [wallet],
    span: readTimeSpan(filters, clock),
  };
}
