import { describe, expect, it } from "vitest";
import { aDeposit, someTime } from "../../../test/support/deposit-records.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import {
  asksByCurrentRate,
  asksByRate,
  rateLockedAt,
  rateLockFromRow,
  rateLocksOf,
  rateLockToRow,
} from "./rate-lock.ts";

const at = (seconds: number): Instant => addSeconds(someTime, seconds);
const rate = (units: bigint) => ({ units, exp: 2 });

describe("rateLockedAt", () => {
  it("applies a single lock until its end, and only for a requested amount", () => {
    const deposit = aDeposit({
      targetAmountRequested: 100n,
      rate: rate(1n),
      rateExpiresAt: at(900),
    });
    expect(rateLockedAt(deposit, at(-5))).toEqual(rate(1n));
    expect(rateLockedAt(deposit, at(900))).toEqual(rate(1n));
    expect(rateLockedAt(deposit, at(900.000001))).toBeNull();
    expect(rateLockedAt({ ...deposit, targetAmountRequested: null }, at(0))).toBeNull();
    expect(rateLockedAt({ ...deposit, rateExpiresAt: null }, at(0))).toBeNull();
  });

  it("applies the lock in force at each instant, and none between two locks", () => {
    const first = rateLocksOf(
      aDeposit({ targetAmountRequested: 100n, rate: rate(1n), rateExpiresAt: at(900) }),
    );
    const rateLocks = [
      ...first,
      { rate: rate(2n), from: at(1000), until: at(1900) },
      { rate: rate(3n), from: at(1900), until: at(2800) },
    ];
    const deposit = aDeposit({
      targetAmountRequested: 100n,
      rate: rate(3n),
      rateExpiresAt: at(2800),
      rateLocks,
    });
    const rates = [0, 900, 950, 1000, 1899, 1900, 2800, 2801].map(
      (seconds) => rateLockedAt(deposit, at(seconds))?.units ?? null,
    );
    expect(rates).toEqual([1n, 1n, null, 2n, 2n, 3n, 3n, null]);
    expect(rateLocks.map(rateLockToRow).map(rateLockFromRow)).toEqual(rateLocks);
  });
});

describe("a requested amount", () => {
  const asked = {
    ...aDeposit({ targetAmountRequested: 100n, rate: rate(1n), rateExpiresAt: at(900) }),
    walletCurrency: "840" as CurrencyId,
  };

  it("is asked for by a rate if it has one, into another currency", () => {
    expect(asksByRate(asked)).toBe(true);
    expect(asksByRate({ ...asked, targetAmountRequested: null })).toBe(false);
    expect(asksByRate({ ...asked, rate: null })).toBe(false);
    expect(asksByRate({ ...asked, currency: asked.walletCurrency })).toBe(false);
  });

  it("is asked for by the current rate if that was never locked", () => {
    expect(asksByCurrentRate(asked)).toBe(false);
    expect(asksByCurrentRate({ ...asked, rateExpiresAt: null })).toBe(true);
    expect(asksByCurrentRate({ ...asked, rate: null, rateExpiresAt: null })).toBe(false);
  });
});
