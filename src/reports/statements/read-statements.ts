import { mayView, type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { addMonths, endOf, type Month, monthOf, monthsFrom } from "./month.ts";
import {
  type MovementKind,
  type MovementRow,
  readMovementRows,
  readStatementWallets,
  type StatementWallet,
} from "./statement.store.ts";
import { unitParts } from "./unit-parts.ts";

export type StatementContext = {
  readonly db: Executor;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
};

/**
 * A wallet's month, in units of its currency. `opening` + `payments` + `incoming` - `refunds` - `payouts` - `fees` + `adjustments`
 * = `closing`, which is what the ledger holds for the wallet at the end of the month: available and held, less a deficit.
 */
export type Statement = {
  readonly wallet: StatementWallet;
  readonly currency: Currency;
  readonly month: Month;
  readonly opening: bigint;
  /** Credited payments, before commission. */
  readonly payments: bigint;
  /** Received from the account's other wallets. */
  readonly incoming: bigint;
  readonly refunds: bigint;
  readonly payouts: bigint;
  /** Commission, and the network fees charged to the wallet; their sum is rounded towards zero. */
  readonly fees: bigint;
  /** Everything else, and what a refund was credited or charged above its payment's value, as the price had changed. */
  readonly adjustments: bigint;
  readonly closing: bigint;
  /** What movements were worth when they happened, by fiat currency; `payments` and the others as above, in its units. */
  readonly fiat: readonly FiatSums[];
  /** Movements other than adjustments that have no fiat value. */
  readonly unvalued: number;
};

export type FiatSums = {
  readonly currency: Currency;
  readonly payments: bigint;
  readonly incoming: bigint;
  readonly refunds: bigint;
  readonly payouts: bigint;
  /** In parts of a unit (`unitParts`): a fee is often less than a unit. */
  readonly feeParts: bigint;
};

const defaultMonths = 12;
const monthsMax = 120;
/** Nothing is older. PostgreSQL has no year 0. */
const firstMonth: Month = "1970-01";

/**
 * The monthly statements of the wallets that the caller may view, without the months in which a wallet had neither a movement nor a
 * balance.
 * Rejects with invalidValue for a span that ends before it starts or has more than 120 months.
 */
export async function readStatements(
  { db, clock, currencies }: StatementContext,
  principal: Principal,
  filters: ReadonlyMap<string, string>,
): Promise<readonly Statement[]> {
  const current = monthOf(clock.now());
  const requestedLast = filters.get("month_to") ?? current;
  // A month to come has no statement. Without this a span in a far year would make one of every month until then.
  const last = requestedLast > current ? current : requestedLast;
  const first = filters.get("month_from") ?? addMonths(last, 1 - defaultMonths);
  if (requestedLast < first)
    reject("invalidValue", "The last month must not be before the first.", {
      parameter: "filter[month_to]",
    });
  if (last < first || last < firstMonth) return [];
  if (addMonths(first, monthsMax) <= last)
    reject("invalidValue", `A span has at most ${monthsMax} months.`, {
      parameter: "filter[month_from]",
    });
  const walletId = filters.get("wallet");
  if (walletId !== undefined && !mayView(principal, walletId)) return [];
  const scope = walletId === undefined ? visibleWallets(principal) : [walletId];
  const { accountId } = principal;
  const wallets = await readStatementWallets(db, accountId, scope);
  const ids = wallets.map(({ id }) => id);
  const rows = Map.groupBy(
    await readMovementRows(db, accountId, ids, endOf(last), currencies.all),
    (row) => row.walletId,
  );
  return wallets.flatMap((wallet) =>
    statementsOf(wallet, currencies.get(wallet.currency), rows.get(wallet.id) ?? []),
  );

  function statementsOf(
    wallet: StatementWallet,
    currency: Currency,
    movements: readonly MovementRow[],
  ): readonly Statement[] {
    const byMonth = Map.groupBy(movements, ({ month }) => month);
    let balance = sum(movements.filter(({ month }) => month < first).map(({ units }) => units));
    return monthsFrom(first, last).flatMap((month) => {
      const opening = balance;
      const moved = byMonth.get(month) ?? [];
      if (opening === 0n && moved.length === 0) return [];
      const sums = sumsOf(moved);
      balance += sums.change;
      const valued = { fiat: fiatOf(currency, moved), unvalued: unvaluedOf(moved) };
      return [{ wallet, currency, month, opening, ...sums, closing: balance, ...valued }];
    });
  }

  function fiatOf(currency: Currency, movements: readonly MovementRow[]): readonly FiatSums[] {
    const byFiat = Map.groupBy(movements, ({ fiat }) => fiat);
    return [...byFiat].flatMap(([fiat, valued]) => {
      if (fiat === null) return [];
      const isOwn = fiat === currency.id;
      const feeParts = -sum(valued.map((one) => (isOwn ? one.feeParts : one.fiatFeeParts)));
      // In a wallet of the fiat currency the value of a movement is the movement.
      const amounts = sumsOf(isOwn ? valued : valued.map(withoutFees));
      return [{ currency: currencies.get(fiat), ...amounts, feeParts }];
    });
  }
}

function unvaluedOf(movements: readonly MovementRow[]): number {
  return movements
    .filter(({ fiat, kind }) => fiat === null && kind !== "adjustment")
    .reduce((all, { count }) => all + count, 0);
}

type Movement = Pick<MovementRow, "kind" | "units" | "repricedUnits" | "feeParts">;

/** The value of a movement, as a movement in the fiat currency that is charged no fee. */
function withoutFees({ kind, fiatUnits }: MovementRow): Movement {
  return { kind, units: fiatUnits, repricedUnits: 0n, feeParts: 0n };
}

/**
 * The movements of one month by what they were for. Their fees are rounded once, towards zero; what remains of payouts and refunds is
 * what receivers were paid, so that all add up to the change.
 */
function sumsOf(movements: readonly Movement[]) {
  const fees = feesOf(movements);
  const of = (kind: MovementKind): bigint =>
    sum(
      movements
        .filter((movement) => movement.kind === kind)
        .map(({ units, repricedUnits }) => units - repricedUnits),
    ) - (fees.get(kind) ?? 0n);
  return {
    change: sum(movements.map(({ units }) => units)),
    payments: of("payment"),
    incoming: of("incoming"),
    refunds: -of("refund"),
    payouts: -of("payout"),
    fees: -sum([...fees.values()]),
    adjustments: of("adjustment") + sum(movements.map(({ repricedUnits }) => repricedUnits)),
  };
}

/** Commission and fees that are movements of their own are whole units; only the others leave a remainder. */
const kindsWithFees = ["payment", "fee", "payout", "refund"] as const;

/** The fees in movements of each kind, in units: their sum is rounded towards zero, and the last kind takes the remainder. */
function feesOf(movements: readonly Movement[]): ReadonlyMap<MovementKind, bigint> {
  const partsOf = (kind: MovementKind): bigint =>
    sum(movements.filter((one) => one.kind === kind).map(({ feeParts }) => feeParts));
  const parts = kindsWithFees.map((kind) => [kind, partsOf(kind)] as const);
  const last = parts.findLast(([, own]) => own !== 0n)?.[0];
  let left = sum(parts.map(([, own]) => own)) / unitParts;
  return new Map(
    parts.map(([kind, own]) => {
      const units = kind === last ? left : own / unitParts;
      left -= units;
      return [kind, units];
    }),
  );
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((all, one) => all + one, 0n);
}
