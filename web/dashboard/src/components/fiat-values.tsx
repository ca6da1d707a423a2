import type { Transfer } from "../../../../client/src/api-types.gen.ts";
import { api } from "../api/api.ts";
import type { ListSource } from "../api/list-source.ts";
import { type ById, codeOf, type KnownCurrency } from "../api/lookups.ts";
import { Amount } from "./amount.tsx";
import { truncateDecimal } from "./decimals.ts";
import { sumOfValues } from "./fiat-sum.ts";
import type { TableColumn } from "./resource-table.tsx";

/** What something was worth when it happened: an amount and its fiat currency's ID. */
export type FiatValue = { readonly amount: string; readonly currency: string };

type Subject = {
  readonly id: string;
  readonly relationships: { readonly currency: { readonly data: { readonly id: string } | null } };
};

/** A row of a list with its value and that of its network fee. */
export type Valued<Row> = Row & {
  readonly fiat: FiatValue | null;
  readonly feeFiat: FiatValue | null;
};

/** The value of one transfer. */
export function fiatOf({ attributes }: Pick<Transfer, "attributes">): FiatValue | null {
  const { fiat_amount: amount, fiat_currency: currency } = attributes;
  return amount === null || currency === null ? null : { amount, currency };
}

/** The value of a transfer's network fee, with eight digits. */
export function feeFiatOf({ attributes }: Pick<Transfer, "attributes">): FiatValue | null {
  const { fee_fiat_amount: amount, fee_fiat_currency: currency } = attributes;
  return amount === null || currency === null ? null : { amount, currency };
}

/**
 * A list of deposits or payouts with the value of each: the sum of its transfers in its own currency; of deposits, only of the
 * confirmed ones.
 */
export function withFiatValues<Row extends Subject>(
  source: ListSource<Row>,
  kind: "deposit" | "payout",
): ListSource<Valued<Row>> {
  const only =
    kind === "deposit" ? ({ op_type: 1, status: 2 } as const) : ({ op_type: 2 } as const);
  const valued = async (rows: readonly Row[], signal: AbortSignal): Promise<Valued<Row>[]> => {
    if (rows.length === 0) return [];
    const filter = { ...only, op_id: rows.map(({ id }) => id).join(",") };
    const transfers = await Array.fromAsync(api.each("/transfer/", { filter, signal }));
    const bySubject = Map.groupBy(transfers, ({ attributes }) => String(attributes.op_id));
    return rows.map((row) => {
      const currency = row.relationships.currency.data?.id;
      const own = (bySubject.get(row.id) ?? []).filter(
        ({ relationships }) => relationships.currency.data?.id === currency,
      );
      return {
        ...row,
        fiat: sumOfValues(own.map(fiatOf)),
        feeFiat: sumOfValues(own.map(feeFiatOf)),
      };
    });
  };
  return {
    path: source.path,
    page: async (query, after, signal) => {
      const page = await source.page(query, after, signal);
      return { ...page, data: await valued(page.data, signal) };
    },
    all: (query, signal) => inBatches(source.all(query, signal), (rows) => valued(rows, signal)),
  };
}

/** As many as a page of the API has. */
const batchSize = 100;

async function* inBatches<Row, Result>(
  rows: AsyncIterable<Row>,
  convert: (rows: readonly Row[]) => Promise<readonly Result[]>,
): AsyncIterable<Result> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield* await convert(batch);
    batch = [];
  }
  yield* await convert(batch);
}

/** The value of a row, hidden by default. */
export function fiatColumn<Row>(
  currencies: ById<KnownCurrency>,
  valueOf: (row: Row) => FiatValue | null,
): TableColumn<Row> {
  const code = (row: Row) => codeOf(currencies, valueOf(row)?.currency);
  return {
    id: "fiat",
    header: "Fiat value",
    align: "end",
    isOptional: true,
    cell: (row) => <Amount value={valueOf(row)?.amount ?? null} code={code(row)} />,
    csv: (row) => valueOf(row)?.amount ?? "",
    csvCode: code,
  };
}

/** The value of a row's network fee, hidden by default. It is shown in cents, and exported with eight digits, so that sums are exact. */
export function feeFiatColumn<Row>(
  currencies: ById<KnownCurrency>,
  valueOf: (row: Row) => FiatValue | null,
): TableColumn<Row> {
  const code = (row: Row) => codeOf(currencies, valueOf(row)?.currency);
  return {
    id: "fee_fiat",
    header: "Network fee (fiat)",
    align: "end",
    isOptional: true,
    cell: (row) => {
      const value = valueOf(row);
      return (
        <Amount value={value === null ? null : truncateDecimal(value.amount, 2)} code={code(row)} />
      );
    },
    csv: (row) => valueOf(row)?.amount ?? "",
    csvCode: code,
  };
}

/** The value of a transfer with the price that it was computed from. */
export function FiatDetail({
  transfer,
  currencies,
}: {
  readonly transfer: Transfer;
  readonly currencies: ById<KnownCurrency>;
}) {
  const value = fiatOf(transfer);
  if (value === null) return <Amount value={null} />;
  const fiat = codeOf(currencies, value.currency);
  const own = codeOf(currencies, transfer.relationships.currency.data?.id);
  return (
    <>
      <Amount value={value.amount} code={fiat} /> (1 {own} ={" "}
      <Amount value={transfer.attributes.fiat_rate} code={fiat} />)
    </>
  );
}
