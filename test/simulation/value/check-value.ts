import assert from "node:assert/strict";
import { commissionOf } from "../../../src/ledger/commission.ts";
import { addSeconds } from "../../../src/platform/kernel/clock.ts";
import { formatDecimal } from "../../../src/platform/kernel/decimal.ts";
import { ledgerSums } from "../../support/check-books.ts";
import { bidOf, type Fraction, valueOf } from "./market.ts";
import type { Holdings, PaymentRow, PayoutRow } from "./read-holdings.ts";
import { chargeSeconds, positionMax, type ValueSite } from "./value-site.ts";

/*
 * An account's gain at the bids of one moment: its wallets, plus what its payouts hold or have paid outside, less
 * what payments and its own conversions have brought in. At unchanged prices, no operation may increase it, and a
 * payment's credit is bounded by the payment's worth. Price changes between operations are the account's own gain or
 * loss.
 */

const live: ReadonlySet<string> = new Set(["waiting", "held", "sending", "blocked"]);
const paid: ReadonlySet<string> = new Set(["included", "confirmed", "internal"]);

/** Rejects if the operation between these moments made an account richer, or a payment worth more than it is. */
export function assertNoGain(site: ValueSite, before: Holdings, after: Holdings): void {
  for (const { id } of site.accounts) {
    const gain =
      takenOut(site, after, id) - takenOut(site, before, id) - broughtBack(site, before, after, id);
    assert.ok(gain <= 0n, `account ${id} gains ${formatDecimal(gain, 36)} dollars`);
  }
  const known = new Map(before.payments.map((payment) => [payment.id, creditOf(payment)]));
  for (const payment of after.payments) {
    const credit = creditOf(payment);
    if (credit > (known.get(payment.id) ?? 0n)) assertWorth(site, payment, credit);
  }
}

function takenOut(site: ValueSite, holdings: Holdings, accountId: string): bigint {
  const prices = site.market.prices();
  const { payouts, payments, topUps, wallets } = ofAccount(holdings, accountId);
  const isReleased = new Map(payouts.map((payout) => [payout.id, isReleasedPayout(payout)]));
  const sums = [
    ...wallets.map(({ currency, available, deficit }) =>
      valueOf(prices, currency, available - deficit),
    ),
    ...payouts.map((payout) => claimOf(site, payout)),
    ...payments.map((payment) => {
      // A refund whose payout has released its funds must have returned its credit.
      const isStale =
        payment.refundPayout !== null && isReleased.get(payment.refundPayout) === true;
      const refunded = isStale || !isBooked(payment) ? 0n : payment.refundTarget;
      return -valueOf(prices, payment.walletCurrency, creditOf(payment) + refunded);
    }),
    ...topUps.map(({ currency, units }) => -valueOf(prices, currency, units)),
  ];
  return sums.reduce((sum, value) => sum + value, 0n);
}

/**
 * A payout's worth to its account: its charge, which canceling returns, or the payment outside at a charge that still
 * holds.
 */
function claimOf(site: ValueSite, payout: PayoutRow): bigint {
  const prices = site.market.prices();
  const isRefund = site.refunds.has(payout.id);
  const outside = isRefund ? 0n : valueOf(prices, payout.currency, payout.units);
  if (paid.has(payout.stage)) return outside;
  if (!live.has(payout.stage)) return 0n;
  const charged = valueOf(prices, payout.walletCurrency, payout.charged);
  const isDecided = payout.stage === "held" || payout.stage === "sending";
  const holds = isDecided || site.clock.now() <= addSeconds(payout.createdAt, chargeSeconds);
  return (
    (holds && outside > charged ? outside : charged) +
    valueOf(prices, payout.feeCurrency, payout.chargedFee)
  );
}

/** What a reorg gives: payouts that it revives or removes from a block. */
function broughtBack(
  site: ValueSite,
  before: Holdings,
  after: Holdings,
  accountId: string,
): bigint {
  const prices = site.market.prices();
  const known = new Map(before.payouts.map((payout) => [payout.id, payout]));
  const values = ofAccount(after, accountId).payouts.map((payout) => {
    const was = known.get(payout.id);
    if (was === undefined || live.has(was.stage) || !live.has(payout.stage)) return 0n;
    const had = paid.has(was.stage)
      ? claimOf(site, was)
      : valueOf(prices, payout.walletCurrency, payout.charged) +
        valueOf(prices, payout.feeCurrency, payout.chargedFee);
    const gain = claimOf(site, payout) - had;
    return gain > 0n ? gain : 0n;
  });
  return values.reduce((sum, value) => sum + value, 0n);
}

function ofAccount(holdings: Holdings, id: string) {
  const isOwn = ({ accountId }: { readonly accountId: string }): boolean => accountId === id;
  return {
    wallets: holdings.wallets.filter(isOwn),
    payouts: holdings.payouts.filter(isOwn),
    payments: holdings.payments.filter(isOwn),
    topUps: holdings.topUps.filter(isOwn),
  };
}

function isReleasedPayout({ stage }: PayoutRow): boolean {
  return !live.has(stage) && !paid.has(stage);
}

function isBooked({ disposition }: PaymentRow): boolean {
  return disposition === "credited" || disposition === "refunded";
}

/** A payment's final credit, in units of the wallet's currency. */
function creditOf(payment: PaymentRow): bigint {
  if (payment.disposition !== "credited") return 0n;
  const kept = payment.units - payment.refundUnits;
  return (payment.targetUnits * kept) / payment.units - payment.targetCommission;
}

function assertWorth(site: ValueSite, payment: PaymentRow, credit: bigint): void {
  const worth = site.worths.get(payment.id);
  assert.ok(worth !== undefined, `payment ${payment.id} was credited before it was seen`);
  const kept = payment.units - payment.refundUnits;
  const net = kept - commissionOf(kept, depositTermsOf(site, payment.accountId));
  // A deposit's next payment makes up for the rounding of earlier ones.
  const most = (net * worth.price.over) / worth.price.under + 1n;
  assert.ok(
    credit <= most,
    `payment ${payment.id} is credited ${credit}, worth ${most} units of ${payment.walletCurrency}`,
  );
}

function depositTermsOf({ accounts }: ValueSite, accountId: string) {
  const account = accounts.find(({ id }) => id === accountId);
  assert.ok(account !== undefined, `account ${accountId}`);
  return account.depositTerms;
}

/**
 * Records the price at which each payment may be credited. On the chain: the rate lock in force when it was first
 * seen, else the bid of that moment. Inside the service: the bid. Payments of `decided`, a deposit just accepted,
 * keep their lock until it ends; after that the current bid counts.
 */
export function noteWorths(
  site: ValueSite,
  before: Holdings,
  after: Holdings,
  decided: string | null,
): void {
  const known = new Map(before.payments.map((payment) => [payment.id, payment]));
  for (const payment of after.payments) {
    const was = known.get(payment.id);
    const isNew = was === undefined;
    const isRevalued = was !== undefined && was.revaluedAt !== payment.revaluedAt;
    const isWaiting = was?.disposition === "unresolved" || was?.disposition === "pending";
    const isDecided = payment.depositId === decided && isWaiting;
    const bid = bidOf(site.market.prices(), payment.currency, payment.walletCurrency);
    const noted = site.worths.get(payment.id);
    if (isNew || isRevalued) site.worths.set(payment.id, firstWorth(payment, bid));
    else if (isDecided && (noted?.lockedUntil ?? 0) < site.clock.now()) {
      site.worths.set(payment.id, { price: bid, lockedUntil: null });
    }
  }
}

function firstWorth(payment: PaymentRow, bid: Fraction) {
  const { lockRate, lockExp, lockedUntil } = payment;
  const seenAt = payment.revaluedAt ?? payment.firstSeenAt;
  const isLocked = !payment.isInside && lockedUntil !== null && seenAt <= lockedUntil;
  if (!isLocked || lockRate === null || lockExp === null) return { price: bid, lockedUntil: null };
  const price = lockPrice(payment, lockRate, lockExp);
  return { price, lockedUntil };
}

function lockPrice({ currency, walletCurrency }: PaymentRow, rate: bigint, exp: number): Fraction {
  const scales = bidOf(unitPrices(currency, walletCurrency), currency, walletCurrency);
  return { over: scales.over * rate, under: scales.under * 10n ** BigInt(exp) };
}

/** Prices at which one whole unit of each currency is worth one of the other. */
function unitPrices(...currencies: readonly string[]) {
  return new Map(currencies.map((currency) => [currency, { bid: 1n, ask: 1n }]));
}

/** Rejects if a rejected request changed any holding or position. */
export function assertUnchanged(before: Holdings, after: Holdings): void {
  assert.deepEqual(after, before);
}

/** Rejects if a conversion took the operator's position further beyond a limit. */
export function assertPositionsBounded(before: Holdings, after: Holdings): void {
  for (const [currency, max] of positionMax) {
    const [was, is] = [before, after].map(({ positions }) => abs(positions.get(currency) ?? 0n));
    assert.ok(
      is! <= max || is! <= was!,
      `the position in ${currency} went from ${was} to ${is}, beyond ${max}`,
    );
  }
}

function abs(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** Rejects unless commissions and fees are booked exactly where they are due. */
export async function assertDuesBooked(site: ValueSite, holdings: Holdings): Promise<void> {
  const due = new Map<string, bigint>();
  const add = (account: string, units: bigint): void => {
    due.set(account, (due.get(account) ?? 0n) - units);
  };
  for (const payment of holdings.payments) {
    if (payment.disposition !== "credited") continue;
    const kept = payment.units - payment.refundUnits;
    add(
      `commission/${payment.currency}`,
      commissionOf(kept, depositTermsOf(site, payment.accountId)),
    );
  }
  for (const payout of holdings.payouts) {
    const isPaid = paid.has(payout.stage);
    const isReverted = payout.stage === "failed" && payout.isInBlock;
    if ((isPaid || isReverted) && payout.feeWallet !== null) {
      add(`fees/${payout.feeCurrency}`, payout.fee);
    }
    const terms = site.accounts.find(({ id }) => id === payout.accountId)?.payoutTerms;
    if (isPaid && !site.refunds.has(payout.id) && terms !== undefined) {
      add(`commission/${payout.currency}`, commissionOf(payout.units, terms));
    }
  }
  const booked = [
    ...(await ledgerSums(site.database, "commission/%")),
    ...(await ledgerSums(site.database, "fees/%")),
  ];
  const text = (sums: Iterable<readonly [string, bigint]>) =>
    [...sums]
      .filter(([, units]) => units !== 0n)
      .map(([name, units]) => `${name} ${units}`)
      .sort();
  assert.deepEqual(text(booked.map(({ name, units }) => [name, units] as const)), text(due));
}
