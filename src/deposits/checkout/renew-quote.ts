import type { CurrentRate, FindRate } from "../../currencies/rates/current-rate.ts";
import { noFreshRate } from "../../currencies/rates/no-fresh-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { createGrantLocks, isLockGranted, type OpenLocksLimit } from "../create/grant-locks.ts";
import type { Deposit } from "../deposit.ts";
import { readTransferRows } from "../payments/incoming.store.ts";
import { asksByRate, rateLocksOf } from "../payments/rate-lock.ts";
import { type Received, receivedOf } from "../payments/received.ts";
import { requotedAmountOf } from "../payments/source-amount.ts";
import { isTolerated, leastPayableOf } from "../payments/tolerance.ts";
import { assertPayable } from "./decide-choice.ts";
import { lockPageDeposit, type Quote, readPageDeposit, saveQuote } from "./payment-page.store.ts";

export type QuoteContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly findRate: FindRate;
  readonly rateLockSeconds: number;
  readonly openLocks: OpenLocksLimit;
};

/**
 * Locks the current rate for a payment whose lock has run out, and asks for what is missing at it: all of the amount, or the
 * rest after a partial payment. Beyond the account's limit of open locks the amount is requested at the current rate, which is not
 * locked. False: there is no such page.
 * Rejects with rateInForce, depositEnded, rateUnavailable.
 */
export async function renewQuote(context: QuoteContext, pageId: string): Promise<boolean> {
  const seen = await readPageDeposit(context.db, pageId);
  if (seen === null) return false;
  const rate =
    seen.currency === null ? null : await context.findRate(seen.currency, seen.walletCurrency);
  const grantLocks = await createGrantLocks(context.openLocks);
  const now = context.clock.now();
  const { accountId, walletCurrency, targetAmountRequested: units } = seen;
  await context.db.transaction(async (tx) => {
    const isLocked =
      units !== null &&
      (await isLockGranted(grantLocks, tx, { accountId, walletCurrency, units }, now));
    const deposit = present(await lockPageDeposit(tx, pageId), "a page that was there before");
    const received = receivedOf(deposit, await readTransferRows(tx, [], [deposit]));
    const quote = decideQuote(deposit, received, rate, { ...context, now, isLocked });
    await saveQuote(tx, deposit, quote, now);
  });
  return true;
}

/** Pure: the current rate, the locks with the new one where there is one, and the total amount requested. */
function decideQuote(
  deposit: Deposit,
  received: Received,
  rate: CurrentRate | null,
  context: Pick<QuoteContext, "currencies" | "rateLockSeconds"> & {
    readonly now: Instant;
    readonly isLocked: boolean;
  },
): Quote {
  const { currencies, now, rateLockSeconds } = context;
  if (!asksByRate(deposit)) reject("rateInForce", "The rate of this payment doesn't expire.");
  assertPayable(deposit, now);
  if (deposit.rateExpiresAt !== null && now < deposit.rateExpiresAt)
    reject("rateInForce", "The rate is still locked.");
  const requested = present(deposit.targetAmountRequested, "the amount of a locked rate");
  const remainder = requested - received.target - received.targetPending;
  const least = leastPayableOf(deposit, deposit.rate, currencies);
  if (remainder < requested && isTolerated(remainder, deposit, least))
    reject("depositEnded", "The full amount has been detected. Nothing more is due.");
  const currency = currencies.get(present(deposit.currency, "the currency of a locked rate"));
  const walletCurrency = currencies.get(deposit.walletCurrency);
  if (rate === null) return reject("rateUnavailable", noFreshRate(currency, walletCurrency));
  const until = context.isLocked ? addSeconds(now, rateLockSeconds) : null;
  const locks = rateLocksOf(deposit);
  return {
    rate: rate.bid,
    rateExpiresAt: until,
    rateLocks: until === null ? locks : [...locks, { rate: rate.bid, from: now, until }],
    sourceAmountRequested: requotedAmountOf(deposit, received, rate.bid, currencies),
  };
}
