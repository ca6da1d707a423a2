import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import { formatTimestamp, parseTimestamp } from "../../platform/kernel/timestamp.ts";

/** The rate for payments first seen in this period (both ends included); `from` null: since creation. */
export type RateLock = {
  readonly rate: Rate;
  readonly from: Instant | null;
  readonly until: Instant;
};

/** The format of `deposit.rate_locks`. */
export type StoredRateLock = {
  readonly units: string;
  readonly exp: number;
  readonly from: string | null;
  readonly until: string;
};

type Requested = {
  readonly targetAmountRequested: bigint | null;
  readonly rate: Rate | null;
  readonly currency: string | null;
  readonly walletCurrency: string;
};

type LockedDeposit = Pick<Requested, "targetAmountRequested" | "rate"> & {
  readonly rateExpiresAt: Instant | null;
  readonly rateLocks: readonly RateLock[];
};

/** Whether the rate determines the requested payment amount. */
export function asksByRate({
  targetAmountRequested,
  rate,
  currency,
  walletCurrency,
}: Requested): boolean {
  return targetAmountRequested !== null && rate !== null && currency !== walletCurrency;
}

/** Whether a deposit's rate was never locked because the account's open locks had reached their limit. */
export function asksByCurrentRate(
  deposit: Requested & Pick<LockedDeposit, "rateExpiresAt">,
): boolean {
  return asksByRate(deposit) && deposit.rateExpiresAt === null;
}

/** All locks of a deposit, oldest first. A rate is locked only for a requested amount, and until it expires. */
export function rateLocksOf(deposit: LockedDeposit): readonly RateLock[] {
  const { targetAmountRequested, rate, rateExpiresAt, rateLocks } = deposit;
  if (rateLocks.length > 0) return rateLocks;
  const isLocked = targetAmountRequested !== null && rate !== null && rateExpiresAt !== null;
  return isLocked ? [{ rate, from: null, until: rateExpiresAt }] : [];
}

/** The lock in force at an instant; null without one. */
export function rateLockAt(deposit: LockedDeposit, at: Instant): RateLock | null {
  const lock = rateLocksOf(deposit).findLast(
    ({ from, until }) => (from === null || from <= at) && at <= until,
  );
  return lock ?? null;
}

/** The locked rate at an instant; null without one. */
export function rateLockedAt(deposit: LockedDeposit, at: Instant): Rate | null {
  return rateLockAt(deposit, at)?.rate ?? null;
}

/** Reads a lock from the column. */
export function rateLockFromRow({ units, exp, from, until }: StoredRateLock): RateLock {
  return {
    rate: { units: BigInt(units), exp },
    from: from === null ? null : present(parseTimestamp(from), "the beginning of a rate lock"),
    until: present(parseTimestamp(until), "the end of a rate lock"),
  };
}

/** Formats a lock for the column; amounts as text, since JSON numbers lose digits. */
export function rateLockToRow({ rate, from, until }: RateLock): StoredRateLock {
  return {
    units: rate.units.toString(),
    exp: rate.exp,
    from: from === null ? null : formatTimestamp(from),
    until: formatTimestamp(until),
  };
}
