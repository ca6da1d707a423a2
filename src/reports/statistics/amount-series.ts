import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { multiplyByRate, type Rate } from "../../platform/kernel/rate.ts";

export type Direction = "deposit" | "payout";

/** Amounts of one kind in one currency over time. Units of the currency; `fiatUnits`: of 10^-`fiatDigits` of the fiat currency. */
export type AmountSeries = {
  readonly id: string;
  readonly kind: string;
  readonly direction: Direction;
  readonly currency: CurrencyId;
  readonly count: number;
  readonly units: bigint;
  /** At today's price; null when there is none. */
  readonly fiatUnits: bigint | null;
  readonly buckets: readonly AmountBucket[];
};

export type AmountBucket = {
  readonly start: Instant;
  readonly count: number;
  readonly units: bigint;
  readonly fiatUnits: bigint | null;
};

export type AmountRow = {
  readonly start: Instant;
  readonly kind: string;
  readonly currency: string;
  readonly op_type: 1 | 2;
  readonly count: string;
  readonly units: bigint;
};

/** Groups rows into series by kind, direction and currency. `rates`: prices in the fiat currency; rounded down. Pure. */
export function amountSeries(
  rows: readonly AmountRow[],
  currencies: CurrencyRegistry,
  fiatDigits: number,
  rates: ReadonlyMap<string, Rate>,
): readonly AmountSeries[] {
  const groups = Map.groupBy(rows, (row) => seriesId(row));
  return [...groups].map(([id, own]) => {
    const [{ kind, currency, op_type }] = own as [AmountRow];
    const { id: currencyId, exp } = currencies.get(currency);
    const rate = rates.get(currency) ?? null;
    const inFiat = (units: bigint): bigint | null =>
      rate === null ? null : multiplyByRate(units, exp, rate, fiatDigits, "down");
    const units = own.reduce((sum, row) => sum + row.units, 0n);
    return {
      id,
      kind,
      direction: directionOf(op_type),
      currency: currencyId,
      units,
      count: own.reduce((sum, row) => sum + Number(row.count), 0),
      fiatUnits: inFiat(units),
      buckets: own.map((row) => ({
        start: row.start,
        count: Number(row.count),
        units: row.units,
        fiatUnits: inFiat(row.units),
      })),
    };
  });
}

function seriesId({ kind, currency, op_type }: AmountRow): string {
  return [kind, directionOf(op_type), currency].join("-");
}

/** The name of a transfer's `op_type`. */
export function directionOf(opType: 1 | 2): Direction {
  return opType === 1 ? "deposit" : "payout";
}

/** The bids of all currencies in the rows; those without a current price are omitted. */
export async function ratesOf(
  rows: readonly { readonly currency: string }[],
  fiat: CurrencyId,
  findRate: (left: CurrencyId, right: CurrencyId) => Promise<{ readonly bid: Rate } | null>,
): Promise<ReadonlyMap<string, Rate>> {
  const ids = [...new Set(rows.map(({ currency }) => currency))];
  const found = await Promise.all(ids.map((id) => findRate(id as CurrencyId, fiat)));
  return new Map(
    ids.flatMap((id, index) => {
      const price = found[index] ?? null;
      return price === null ? [] : [[id, price.bid] as const];
    }),
  );
}
