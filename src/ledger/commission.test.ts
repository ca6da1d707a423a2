import { describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { findCommissionTerms } from "../../test/support/find-commission-terms.ts";
import { fc } from "../../test/support/property.ts";
import { InvariantViolation } from "../platform/kernel/assert.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { saveCommissionTerms } from "./commission.store.ts";
import { amountWithin, commissionOf, noCommission } from "./commission.ts";

const terms = (ratePpm: number, fixedUnits = 0n, minimumUnits = 0n) => ({
  ratePpm,
  fixedUnits,
  minimumUnits,
});

describe("commission", () => {
  it.each([
    ["no terms", 1000n, noCommission, 0n],
    ["1 %", 1000n, terms(10_000), 10n],
    ["a part of a unit is a whole one", 1001n, terms(10_000), 11n],
    ["one millionth of one unit", 1n, terms(1), 1n],
    ["percent and fixed part", 1000n, terms(10_000, 7n), 17n],
    ["the minimum where it is more", 1000n, terms(10_000, 7n, 50n), 50n],
    ["never more than the amount", 30n, terms(0, 31n), 30n],
    ["everything", 123n, terms(1_000_000), 123n],
    ["of nothing, nothing", 0n, terms(10_000, 7n, 50n), 0n],
  ])("computes %s", (_, units, given, expected) => {
    expect(commissionOf(units, given)).toBe(expected);
  });

  it("rejects a negative amount", () => {
    expect(() => commissionOf(-1n, terms(10_000))).toThrow(InvariantViolation);
  });

  it.each([
    ["no terms", 1000n, noCommission, 1000n],
    ["1 %", 1000n, terms(10_000), 990n],
    ["percent and fixed part", 1000n, terms(10_000, 7n), 983n],
    ["a minimum", 1000n, terms(10_000, 7n, 50n), 950n],
    ["a budget below twice the minimum", 60n, terms(0, 0n, 50n), 30n],
    ["no budget", 0n, terms(10_000, 7n), 0n],
  ])("finds the largest amount with %s", (_, budget, given, expected) => {
    expect(amountWithin(budget, given)).toBe(expected);
  });

  it("finds an amount that fits, of which one unit more does not", () => {
    const part = fc.bigInt({ min: 0n, max: 10n ** 20n });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), part, part),
        (budget, given) => {
          const cost = (units: bigint): bigint => units + commissionOf(units, terms(...given));
          const most = amountWithin(budget, terms(...given));
          expect([cost(most) <= budget, cost(most + 1n) > budget]).toEqual([true, true]);
        },
      ),
    );
  });

  it("stays between the exact percentage and the amount", () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 30n });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 1_000_000 }), (units, ppm) => {
        const charged = commissionOf(units, terms(ppm));
        expect(charged * 1_000_000n >= units * BigInt(ppm)).toBe(true);
        expect((charged - 1n) * 1_000_000n < units * BigInt(ppm)).toBe(true);
        expect(charged <= units).toBe(true);
      }),
    );
  });

  const { db, sql } = useDatabase();

  it("applies the most specific terms, separately per direction", async () => {
    const [account, other] = (
      await sql<{ id: string }>(
        `insert into account (name, webhook_secret_sealed, created_at)
       select 'a', '', '2026-01-01Z' from generate_series(1, 2) returning id`,
      )
    ).map((row) => row.id);
    const [btc, eth] = ["1000" as CurrencyId, "1002" as CurrencyId];
    const save = (accountId: string | null, currency: CurrencyId | null, ratePpm: number) =>
      saveCommissionTerms(db, { accountId, currency, direction: "deposit" }, terms(ratePpm));
    const found = async (accountId: string, currency: CurrencyId) =>
      (await findCommissionTerms(db, accountId, currency, "deposit")).ratePpm;

    expect(await found(account!, btc)).toBe(0);
    await save(null, null, 1);
    await save(null, btc, 2);
    expect([await found(account!, btc), await found(account!, eth)]).toEqual([2, 1]);
    await save(account!, null, 3);
    await save(account!, btc, 4);
    await save(account!, btc, 5);
    expect([await found(account!, btc), await found(account!, eth)]).toEqual([5, 3]);
    expect([await found(other!, btc), await found(other!, eth)]).toEqual([2, 1]);
    expect(await findCommissionTerms(db, account!, btc, "payout")).toEqual(noCommission);
  });
});
