import { readFiatCurrencies } from "../../accounts/read-fiat-currencies.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import { type FiatPrice, findFiatPrice } from "../../currencies/rates/fiat-price.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Deposit } from "../deposit.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { kindOf } from "./decide-transfer.ts";

/** What new payments of some deposits may be valued at. */
export type FiatPrices = {
  /** The account's fiat currency; absent where nothing needs one. */
  readonly fiatOf: ReadonlyMap<string, CurrencyId>;
  /** Current prices by `currency fiat`; null without a fresh one. */
  readonly prices: ReadonlyMap<string, FiatPrice | null>;
};

type Priced = { readonly deposit: Deposit; readonly transfers: readonly TransferRecord[] };

/** Looks up the fiat prices that unpriced transfers of these deposits need. */
export async function findFiatPrices(
  tx: Executor,
  facts: readonly Priced[],
  context: { readonly findRate: FindRate },
): Promise<FiatPrices> {
  const unpriced = facts.flatMap(({ deposit, transfers }) =>
    transfers.flatMap(({ rate, fiat, currency }) =>
      rate === null && fiat === null && currency !== null
        ? [{ accountId: deposit.accountId, currency }]
        : [],
    ),
  );
  const fiatOf = await readFiatCurrencies(
    tx,
    unpriced.map(({ accountId }) => accountId),
  );
  const pairs = new Map<string, readonly [CurrencyId, CurrencyId]>();
  for (const { accountId, currency } of unpriced) {
    const fiat = fiatOf.get(accountId);
    if (fiat !== undefined) pairs.set(`${currency} ${fiat}`, [currency, fiat]);
  }
  const entries = [...pairs].map(
    async ([pair, [currency, fiat]]) =>
      [pair, await findFiatPrice(context.findRate, currency, fiat)] as const,
  );
  return { fiatOf, prices: new Map(await Promise.all(entries)) };
}

/**
 * The transfers that `priceTransfers` returned for `facts`. Those priced for the first time have their value in the account's fiat
 * currency, which never changes again. In a wallet of that currency a payment's price is the one that it was credited at, otherwise
 * the current bid. Without a fresh price the value stays empty.
 */
export function valueInFiat(
  { deposit, transfers }: Priced,
  priced: readonly TransferRecord[],
  { fiatOf, prices }: FiatPrices,
): readonly TransferRecord[] {
  const fiat = fiatOf.get(deposit.accountId);
  if (fiat === undefined) return priced;
  const valueOf = ({ rate, currency }: TransferRecord, isPayment: boolean): FiatPrice | null =>
    isPayment && rate !== null && deposit.walletCurrency === fiat
      ? { currency: fiat, rate }
      : (prices.get(`${currency ?? ""} ${fiat}`) ?? null);
  return priced.map((transfer, index) => {
    const isFirstPrice = transfers[index]?.rate === null && transfer.rate !== null;
    return isFirstPrice && transfer.fiat === null
      ? { ...transfer, fiat: valueOf(transfer, kindOf(transfer, deposit) === "payment") }
      : transfer;
  });
}
