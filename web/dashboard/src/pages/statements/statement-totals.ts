import { addDecimals } from "../../components/decimals.ts";

/** The columns of a statement that are summed over months; balances are not. */
const summedNames = [
  "payments",
  "transfers_in",
  "refunds",
  "payouts",
  "fees",
  "adjustments",
] as const;

type SummedName = (typeof summedNames)[number];
type FiatName = `${Exclude<SummedName, "adjustments">}_fiat`;

type Row = {
  readonly attributes: Readonly<
    Record<SummedName | "opening_balance" | "closing_balance", string>
  > & {
    readonly month: string;
  } & Readonly<Record<FiatName, Readonly<Record<string, string>>>>;
  readonly relationships: {
    readonly wallet: { readonly data: { readonly id: string } };
    readonly currency: { readonly data: { readonly id: string } };
  };
};

/** Sums over statements in one currency; null where a column has no sum. */
export type StatementTotal = Readonly<Record<SummedName, string | null>> & {
  readonly opening: string | null;
  readonly closing: string | null;
};

/** The totals of statements: by currency ID, then by code of a fiat currency, which have no balances and no adjustments. */
export function statementTotals(rows: readonly Row[]): {
  readonly byCurrency: ReadonlyMap<string, StatementTotal>;
  readonly inFiat: ReadonlyMap<string, StatementTotal>;
} {
  const groups = Map.groupBy(rows, ({ relationships }) => relationships.currency.data.id);
  const codes = new Set(
    rows.flatMap(({ attributes }) => fiatNames.flatMap((name) => Object.keys(attributes[name]))),
  );
  return {
    byCurrency: new Map([...groups].map(([id, own]) => [id, totalOf(own)])),
    inFiat: new Map([...codes].map((code) => [code, fiatTotalOf(rows, code)])),
  };
}

const fiatNames = summedNames.flatMap((name): FiatName[] =>
  name === "adjustments" ? [] : [`${name}_fiat`],
);

function totalOf(rows: readonly Row[]): StatementTotal {
  const wallets = [
    ...Map.groupBy(rows, ({ relationships }) => relationships.wallet.data.id).values(),
  ];
  const sorted = wallets.map((own) =>
    own.toSorted((a, b) => (a.attributes.month < b.attributes.month ? -1 : 1)),
  );
  return {
    ...sums((name) => rows.map(({ attributes }) => attributes[name])),
    opening: sum(sorted.map(([first]) => first?.attributes.opening_balance)),
    closing: sum(sorted.map((own) => own.at(-1)?.attributes.closing_balance)),
  };
}

function fiatTotalOf(rows: readonly Row[], code: string): StatementTotal {
  return {
    ...sums((name) =>
      name === "adjustments" ? [] : rows.map(({ attributes }) => attributes[`${name}_fiat`][code]),
    ),
    opening: null,
    closing: null,
  };
}

function sums(
  values: (name: SummedName) => readonly (string | undefined)[],
): Readonly<Record<SummedName, string | null>> {
  const entries = summedNames.map((name) => [name, sum(values(name))]);
  return Object.fromEntries(entries) as Record<SummedName, string | null>;
}

/** The sum of the decimals; null for none. */
function sum(values: readonly (string | undefined)[]): string | null {
  return values.reduce<string | null>(
    (all, value) => (value === undefined ? all : all === null ? value : addDecimals(all, value)),
    null,
  );
}
