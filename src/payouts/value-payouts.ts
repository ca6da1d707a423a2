import { readFiatCurrencies } from "../accounts/read-fiat-currencies.ts";
import type { FindRate } from "../currencies/rates/current-rate.ts";
import { type FiatPrice, findFiatPrice } from "../currencies/rates/fiat-price.ts";
import type { Executor } from "../platform/db/database.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { savePayoutFiat } from "./payout.store.ts";
import type { Payout } from "./payout.ts";
import type { PayoutPrices } from "./payout-prices.ts";

type Valued = Pick<
  Payout,
  | "id"
  | "accountId"
  | "currency"
  | "walletCurrency"
  | "rate"
  | "feeCurrency"
  | "feeUnits"
  | "feeWalletId"
>;
type Entry = readonly [payoutId: string, prices: PayoutPrices];

/**
 * What these payouts are worth in their accounts' fiat currencies (`fiatOf`), by payout id; absent without a fresh price. A wallet
 * of that currency was charged at `rate`; otherwise the current bid counts.
 */
export async function findPayoutFiat(
  payouts: readonly { readonly payout: Valued; readonly findRate: FindRate }[],
  fiatOf: ReadonlyMap<string, CurrencyId>,
): Promise<ReadonlyMap<string, PayoutPrices>> {
  const entries = payouts.map(async ({ payout, findRate }): Promise<readonly Entry[]> => {
    const fiat = fiatOf.get(payout.accountId);
    if (fiat === undefined) return [];
    const [amount, fee] = await Promise.all([
      priceOf(payout, fiat, findRate),
      priceOfFee(payout, fiat, findRate),
    ]);
    return amount === null && fee === null ? [] : [[payout.id, { amount, fee }]];
  });
  return new Map((await Promise.all(entries)).flat());
}

/** Values a payout that was approved; the value never changes again. */
export async function valueApproved(
  tx: Executor,
  payout: Payout,
  findRate: FindRate,
): Promise<void> {
  const fiatOf = await readFiatCurrencies(tx, [payout.accountId]);
  const prices = (await findPayoutFiat([{ payout, findRate }], fiatOf)).get(payout.id);
  if (prices !== undefined) await savePayoutFiat(tx, payout, prices);
}

/** The current bid of a currency in the account's fiat currency; null without a fresh price. */
export async function currentFiatPrice(
  tx: Executor,
  { findRate }: { readonly findRate: FindRate },
  { accountId, currency }: { readonly accountId: string; readonly currency: CurrencyId },
): Promise<FiatPrice | null> {
  const fiat = (await readFiatCurrencies(tx, [accountId])).get(accountId);
  return fiat === undefined ? null : findFiatPrice(findRate, currency, fiat);
}

async function priceOf(
  { currency, walletCurrency, rate }: Valued,
  fiat: CurrencyId,
  findRate: FindRate,
): Promise<FiatPrice | null> {
  return walletCurrency === fiat
    ? { currency: fiat, rate }
    : findFiatPrice(findRate, currency, fiat);
}

/** The bid of a fee's own currency; null for a fee in the payout's currency, and where no wallet is charged a fee. */
async function priceOfFee(
  { currency, feeCurrency, feeUnits, feeWalletId }: Valued,
  fiat: CurrencyId,
  findRate: FindRate,
): Promise<FiatPrice | null> {
  return feeWalletId === null || feeUnits === 0n || feeCurrency === currency
    ? null
    : findFiatPrice(findRate, feeCurrency, fiat);
}
