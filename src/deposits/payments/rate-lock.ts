import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import { formatTimestamp, parseTimestamp } from "../../platform/kernel/timestamp.ts";

/** A rate at which payments first seen in this time (both ends included) are valued; `from` null: from the beginning. */
export type RateLock = {
  readonly rate: Rate;
  readonly from: Instant | null;
  readonly until: Instant;
};

/** As `deposit.rate_locks` holds it. */
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

/** Whether the rate decides what a deposit asks for. */
export function asksByRate({
  targetAmountRequested,
  rate,
  currency,
  walletCurrency,
}: Requested): boolean {
  return targetAmountRequested !== null && rate !== null && currency !== walletCurrency;
}

/** Whether a deposit asks by a rate that was never to be held: the account's open locks had reached their limit. */
export function asksByCurrentRate(
  deposit: Requested & Pick<LockedDeposit, "rateExpiresAt">,
): boolean {
  return asksByRate(deposit) && deposit.rateExpiresAt === null;
}

/** All locks that a deposit had, oldest first. A rate is locked only for a requested amount, and until it expires. */
export function rateLocksOf(deposit: LockedDeposit): readonly RateLock[] {
  const { targetAmountRequested, rate, rateExpiresAt, rateLocks } = deposit;
  if (rateLocks.length > 0) return rateLocks;
  const isLocked = targetAmountRequested !== null && rate !== null && rateExpiresAt !== null;
  return isLocked ? [{ rate, from: null, until: rateExpiresAt }] : [];
}

/** The lock that was in force at an instant; null when none was. */
export function rateLockAt(deposit: LockedDeposit, at: Instant): RateLock | null {
  const lock = rateLocksOf(deposit).findLast(
    ({ from, until }) => (from === null || from <= at) && at <= until,
  );
  return lock ?? null;
}

/** The rate that was locked at an instant; null when none was. */
export function rateLockedAt(deposit: LockedDeposit, at: Instant): Rate | null {
  return rateLockAt(deposit, at)?.rate ?? null;
}

/** The lock as the column holds it. */
export function rateLockFromRow({ units, exp, from, until }: StoredRateLock): RateLock {
  return {
    rate: { units: BigInt(units), exp },
    from: from === null ? null : present(parseTimestamp(from), "the beginning of a rate lock"),
    until: present(parseTimestamp(until), "the end of a rate lock"),
  };
}

/** The lock for the column; amounts as text, since JSON numbers do not hold them. */
export function rateLockToRow({ rate, from, until }: RateLock): StoredRateLock {
  return {
    units: rate.units.toString(),
    exp: rate.exp,
    from: from === null ? null : formatTimestamp(from),
    until: formatTimestamp(until),
  };
}
