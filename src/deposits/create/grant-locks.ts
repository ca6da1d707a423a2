import type { FindRate, FreezeRates } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import { multiplyByRate } from "../../platform/kernel/rate.ts";
import { lockRateLocks, type OpenLocks, readOpenLocks } from "./open-locks.store.ts";

/** The limit on the total value of one account's open rate locks. */
export type OpenLocksLimit = {
  readonly currencies: CurrencyRegistry;
  readonly freezeRates: FreezeRates;
  /** Null without a limit. */
  readonly max: Money | null;
};

/**
 * Returns which of the requested locks fit the limit, in their order. Locks the accounts, so that concurrent transactions cannot
 * exceed the limit together: call it before the transaction locks a deposit.
 */
export type GrantLocks = (
  tx: Executor,
  requested: readonly OpenLocks[],
  now: Instant,
) => Promise<readonly boolean[]>;

/** Reads the prices of the locks before the transaction starts. Null: every lock is granted. */
export async function createGrantLocks(limit: OpenLocksLimit): Promise<GrantLocks | null> {
  const { max } = limit;
  if (max === null) return null;
  const findRate = await limit.freezeRates();
  const valueOf = createValueOf(limit.currencies, findRate, max.currency);
  return async (tx, requested, now) => {
    const accountIds = [...new Set(requested.map(({ accountId }) => accountId))];
    await lockRateLocks(tx, accountIds);
    const open = await valued(await readOpenLocks(tx, accountIds, now), valueOf);
    return grant(open, await valued(requested, valueOf), max.units);
  };
}

/** Whether one lock is granted. */
export async function isLockGranted(
  grantLocks: GrantLocks | null,
  tx: Executor,
  requested: OpenLocks,
  now: Instant,
): Promise<boolean> {
  if (grantLocks === null) return true;
  const [isGranted = false] = await grantLocks(tx, [requested], now);
  return isGranted;
}

/** The members of a new deposit that determine whether its rate is locked. */
type LockedTerms = {
  readonly accountId: string;
  readonly walletCurrency: CurrencyId;
  readonly targetAmountRequested: bigint | null;
  readonly rateExpiresAt: Instant | null;
  readonly createdAt: Instant;
};

/**
 * Runs `work` with the deposits, without the rate locks that exceed the limit. Reading the open locks and the work share one
 * transaction; without a limit or a locked rate, no transaction is needed.
 */
export async function withGrantedLocks<New extends LockedTerms, Result>(
  db: Database,
  limit: OpenLocksLimit | null,
  deposits: readonly New[],
  work: (executor: Executor, deposits: readonly New[]) => Promise<Result>,
): Promise<Result> {
  const requested = deposits.flatMap((deposit) => {
    const { accountId, walletCurrency, targetAmountRequested: units } = deposit;
    const isLocked = units !== null && deposit.rateExpiresAt !== null;
    return isLocked ? [{ deposit, accountId, walletCurrency, units }] : [];
  });
  const [first] = requested;
  const grantLocks = limit === null || first === undefined ? null : await createGrantLocks(limit);
  if (first === undefined || grantLocks === null) return work(db, deposits);
  return db.transaction(async (tx) => {
    const granted = await grantLocks(tx, requested, first.deposit.createdAt);
    const refused = new Set(
      requested.filter((_, index) => granted[index] !== true).map(({ deposit }) => deposit),
    );
    const bounded = deposits.map((deposit) =>
      refused.has(deposit) ? { ...deposit, rateExpiresAt: null } : deposit,
    );
    return work(tx, bounded);
  });
}

type ValuedLock = { readonly accountId: string; readonly value: bigint | null };

/** Pure. A lock without a current value is not granted, and neither is any other lock of its account. */
function grant(
  open: readonly ValuedLock[],
  requested: readonly ValuedLock[],
  max: bigint,
): readonly boolean[] {
  const totals = new Map<string, bigint | null>();
  const sumWith = ({ accountId, value }: ValuedLock): bigint | null => {
    const total = totals.get(accountId);
    return total === null || value === null ? null : (total ?? 0n) + value;
  };
  for (const lock of open) totals.set(lock.accountId, sumWith(lock));
  return requested.map((lock) => {
    const total = sumWith(lock);
    if (total === null || total > max) return false;
    totals.set(lock.accountId, total);
    return true;
  });
}

type ValueOf = (units: bigint, currency: CurrencyId) => Promise<bigint | null>;

/** Value in the limit's currency, rounded up; null without a fresh price. */
function createValueOf(
  currencies: CurrencyRegistry,
  findRate: FindRate,
  target: CurrencyId,
): ValueOf {
  return async (units, currency) => {
    if (currency === target) return units;
    const rate = await findRate(currency, target);
    if (rate === null) return null;
    const { exp } = currencies.get(currency);
    return multiplyByRate(units, exp, rate.ask, currencies.get(target).exp, "up");
  };
}

function valued(locks: readonly OpenLocks[], valueOf: ValueOf): Promise<readonly ValuedLock[]> {
  return Promise.all(
    locks.map(async ({ accountId, walletCurrency, units }) => ({
      accountId,
      value: await valueOf(units, walletCurrency),
    })),
  );
}
