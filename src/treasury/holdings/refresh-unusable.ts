import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { multiplyByRate } from "../../platform/kernel/rate.ts";
import type { SweepContext } from "../sweeping/sweep-context.ts";
import { minimumUnits } from "../sweeping/sweep-deposits.ts";
import { readCoinWorth } from "../sweeping/sweep-worth.ts";
import {
  listChangedUnusable,
  sumSmallHoldings,
  type Unusable,
  updateUnusable,
} from "./unusable.store.ts";

/**
 * Updates each wallet's amount that lies on deposit addresses and is not worth the fee of moving it, in the wallet's currency,
 * at current fees and rates. It is part of the available balance and does not reduce it. `contexts` are all chains that are
 * swept. Rejects with `Unavailable` if one of them does not respond.
 */
export async function refreshUnusable(
  contexts: readonly SweepContext[],
  signal: AbortSignal,
): Promise<void> {
  const [first] = contexts;
  if (first === undefined) return;
  const { db, currencies, findRate } = first;
  const least: { currency: CurrencyId; units: bigint }[] = [];
  for (const context of contexts) {
    const gauge = await context.chain.sweeper.survey([], signal);
    least.push(...minimumUnits(context, gauge, await readCoinWorth(context), new Set()));
  }
  const keyspaces = [...new Set(contexts.map(({ chain }) => chain.keyspace))];
  const small = await sumSmallHoldings(db, least, keyspaces);
  const figures = await sumByWallet(currencies, findRate, small);
  for (const figure of await listChangedUnusable(db, figures)) await updateUnusable(db, figure);
}

/** Leaves out holdings without a price in the wallet's currency. */
async function sumByWallet(
  currencies: CurrencyRegistry,
  findRate: FindRate,
  holdings: Awaited<ReturnType<typeof sumSmallHoldings>>,
): Promise<readonly Unusable[]> {
  const sums = new Map<string, Unusable>();
  for (const { accountId, walletId, walletCurrency, currency, units } of holdings) {
    const found = await findRate(currency, walletCurrency);
    if (found === null) continue;
    const from = currencies.get(currency).exp;
    const to = currencies.get(walletCurrency).exp;
    const worth = multiplyByRate(units, from, found.bid, to, "down");
    const sum = worth + (sums.get(walletId)?.units ?? 0n);
    sums.set(walletId, { accountId, walletId, units: sum });
  }
  return [...sums.values()];
}
