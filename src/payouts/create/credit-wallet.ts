import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { systemAccount, walletAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { type Position, postingsBetween } from "../../ledger/posting.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { multiplyByRate } from "../../platform/kernel/rate.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { insertTopUp } from "../payout.store.ts";
import type { Payout } from "../payout.ts";
import { currentFiatPrice } from "../value-payouts.ts";
import type { TargetWallet } from "./internal-target.ts";

export type CreditContext = {
  readonly currencies: CurrencyRegistry;
  /** Uses the prices at which the payer was charged. */
  readonly findRate: FindRate;
};

/**
 * Credits an internal payout to another wallet of the account, in the transaction that books the payer's side, and
 * records it as a top-up. A wallet in another currency receives the value at the bid, rounded down; the operator's
 * conversion accounts balance both sides. Rejects with feeUnavailable without a fresh rate.
 */
export async function creditWallet(
  tx: Executor,
  context: CreditContext,
  payout: Payout,
  wallet: TargetWallet,
  now: Instant,
): Promise<void> {
  const units = await worthIn(context, payout, wallet);
  const { accountId, currency, paidUnits } = payout;
  const credited = { currency: wallet.currency, units };
  const conversion: readonly Position[] =
    currency === wallet.currency
      ? []
      : [
          { account: systemAccount("conversion", currency), currency, units: -paidUnits },
          { ...credited, account: systemAccount("conversion", wallet.currency) },
        ];
  const after: readonly Position[] = [
    { account: systemAccount("transit", currency), currency, units: paidUnits },
    ...conversion,
    { ...credited, account: walletAccount(wallet.walletId, "available"), units: -units },
  ];
  const postings = postingsBetween([], after);
  await post(tx, [{ accountId, cause: `top-up:${payout.id}`, postings }], now);
  const fiat = await currentFiatPrice(tx, context, { accountId, ...credited });
  await insertTopUp(tx, payout, { walletId: wallet.walletId, ...credited, fiat }, now);
}

async function worthIn(
  { currencies, findRate }: CreditContext,
  { currency, paidUnits }: Payout,
  wallet: TargetWallet,
): Promise<bigint> {
  if (currency === wallet.currency) return paidUnits;
  const found = await findRate(currency, wallet.currency);
  if (found === null) {
    return reject(
      "feeUnavailable",
      "No fresh rate is available for the conversion. Try again shortly.",
    );
  }
  const exps = [currencies.get(currency).exp, currencies.get(wallet.currency).exp] as const;
  const worth = multiplyByRate(paidUnits, exps[0], found.bid, exps[1], "down");
  if (worth === 0n)
    reject("amountBelowMinimum", "The amount is too small to be credited to the other wallet.");
  return worth;
}
