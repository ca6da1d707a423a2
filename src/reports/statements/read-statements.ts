import { mayView, type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { addMonths, endOf, type Month, monthOf, monthsFrom } from "./month.ts";
import {
  type MovementRow,
  readMovementRows,
  readStatementWallets,
  type StatementWallet,
} from "./statement.store.ts";

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
  /** Commission, and the network fees charged to the wallet. */
  readonly fees: bigint;
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
  readonly fees: bigint;
};

const defaultMonths = 12;
const monthsMax = 120;

/**
 * The monthly statements of the wallets that the caller may view; months before a wallet's first movement are left out.
 * Rejects with invalidValue for a span that ends before it starts or has more than 120 months.
 */
export async function readStatements(
  { db, clock, currencies }: StatementContext,
  principal: Principal,
  filters: ReadonlyMap<string, string>,
): Promise<readonly Statement[]> {
  const last = filters.get("month_to") ?? monthOf(clock.now());
  const first = filters.get("month_from") ?? addMonths(last, 1 - defaultMonths);
  if (last < first)
    reject("invalidValue", "The last month must not be before the first.", {
      parameter: "filter[month_to]",
    });
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
  return wallets
    .flatMap((wallet) =>
      statementsOf(wallet, currencies.get(wallet.currency), rows.get(wallet.id) ?? []),
    )
    .filter(({ month }) => month >= first);

  function statementsOf(
    wallet: StatementWallet,
    currency: Currency,
    movements: readonly MovementRow[],
  ): readonly Statement[] {
    const byMonth = Map.groupBy(movements, ({ month }) => month);
    const [start = last] = [...byMonth.keys()].toSorted();
    let balance = 0n;
    return monthsFrom(start, last).map((month) => {
      const opening = balance;
      const moved = byMonth.get(month) ?? [];
      const sums = sumsOf(moved);
      balance += sums.change;
      const valued = { fiat: fiatOf(moved), unvalued: unvaluedOf(moved) };
      return { wallet, currency, month, opening, ...sums, closing: balance, ...valued };
    });
  }

  function fiatOf(movements: readonly MovementRow[]): readonly FiatSums[] {
    const byFiat = Map.groupBy(movements, ({ fiat }) => fiat);
    return [...byFiat].flatMap(([fiat, valued]) => {
      if (fiat === null) return [];
      const inFiat = valued.map((movement) => ({
        ...movement,
        units: movement.fiatUnits + movement.fiatFeeUnits,
        feeUnits: movement.fiatFeeUnits,
      }));
      return [{ currency: currencies.get(fiat), ...sumsOf(inFiat) }];
    });
  }
}

function unvaluedOf(movements: readonly MovementRow[]): number {
  return movements
    .filter(({ fiat, kind }) => fiat === null && kind !== "adjustment")
    .reduce((sum, { count }) => sum + count, 0);
}

/** The movements of one month by what they were for. */
function sumsOf(movements: readonly MovementRow[]) {
  const of = (kind: MovementRow["kind"]): bigint =>
    movements
      .filter((movement) => movement.kind === kind)
      .reduce((sum, { units, feeUnits }) => sum + units - feeUnits, 0n);
  const sum = (values: readonly bigint[]): bigint => values.reduce((all, one) => all + one, 0n);
  return {
    change: sum(movements.map(({ units }) => units)),
    payments: of("payment"),
    incoming: of("incoming"),
    refunds: -of("refund"),
    payouts: -of("payout"),
    fees: -sum(movements.map(({ feeUnits }) => feeUnits)),
    adjustments: of("adjustment"),
  };
}
