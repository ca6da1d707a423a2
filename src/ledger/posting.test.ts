import { describe, expect, it } from "vitest";
import { fc } from "../../test/support/property.ts";
import { InvariantViolation } from "../platform/kernel/assert.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { type Position, postingsBetween } from "./posting.ts";

const eth = "1002" as CurrencyId;
const usd = "840" as CurrencyId;

const position = (account: string, units: bigint, currency = eth): Position => ({
  account,
  currency,
  units,
});

describe("postingsBetween", () => {
  it("books new positions", () => {
    expect(postingsBetween([], [position("chain", 5n), position("owed", -5n)])).toEqual([
      { debit: "chain", credit: "owed", currency: eth, units: 5n },
    ]);
  });

  it("moves changed positions and leaves others alone", () => {
    const before = [position("chain", 5n), position("pending", -5n)];
    const after = [position("chain", 5n), position("available", -4n), position("commission", -1n)];
    expect(postingsBetween(before, after)).toEqual([
      { debit: "pending", credit: "available", currency: eth, units: 4n },
      { debit: "pending", credit: "commission", currency: eth, units: 1n },
    ]);
    expect(postingsBetween(before, before)).toEqual([]);
  });

  it("keeps currencies apart", () => {
    const after = [
      ...[position("chain", 5n), position("conversion", -5n)],
      ...[position("conversion", 900n, usd), position("owed", -900n, usd)],
    ];
    expect(postingsBetween([], after)).toEqual([
      { debit: "chain", credit: "conversion", currency: eth, units: 5n },
      { debit: "conversion", credit: "owed", currency: usd, units: 900n },
    ]);
  });

  it("rejects positions that do not balance", () => {
    expect(() => postingsBetween([], [position("chain", 5n), position("owed", -4n)])).toThrow(
      InvariantViolation,
    );
    const acrossCurrencies = [position("chain", 5n), position("owed", -5n, usd)];
    expect(() => postingsBetween([], acrossCurrencies)).toThrow(InvariantViolation);
  });

  it("transforms any positions into any others by postings of positive units between two accounts", () => {
    const balanced = fc
      .array(
        fc.record({
          from: fc.constantFrom("a", "b", "c"),
          to: fc.constantFrom("d", "e", "f"),
          units: fc.bigInt({ min: 1n, max: 50n }),
          currency: fc.constantFrom(eth, usd),
        }),
        { maxLength: 6 },
      )
      .map((moves) =>
        moves.flatMap(({ from, to, units, currency }) => [
          position(to, units, currency),
          position(from, -units, currency),
        ]),
      );
    fc.assert(
      fc.property(balanced, balanced, (before, after) => {
        const postings = postingsBetween(before, after);
        const sums = new Map<string, bigint>();
        const add = (account: string, currency: string, units: bigint): void => {
          sums.set(`${currency} ${account}`, (sums.get(`${currency} ${account}`) ?? 0n) + units);
        };
        for (const { account, currency, units } of before) add(account, currency, units);
        for (const { debit, credit, currency, units } of postings) {
          expect(units > 0n && debit !== credit).toBe(true);
          add(debit, currency, units);
          add(credit, currency, -units);
        }
        for (const { account, currency, units } of after) add(account, currency, -units);
        expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
