import { describe, expect, it } from "vitest";
import { fc } from "../../test/support/property.ts";
import { type Candidate, selectChangeless, selectFewest } from "./select-coins.ts";

describe("coin selection", () => {
  /* Compares the search without change, and the fewest coins, with all possible selections. */

  const candidates = fc
    .array(fc.record({ value: fc.bigInt(1n, 40n), weight: fc.integer({ min: 1, max: 6 }) }), {
      maxLength: 9,
    })
    .map((list) => list.map((each, item): Candidate<number> => ({ item, ...each })));

  function subsets(list: readonly Candidate<number>[]): (readonly Candidate<number>[])[] {
    return Array.from({ length: 2 ** list.length }, (_, mask) =>
      list.filter((__, index) => (mask & (1 << index)) !== 0),
    );
  }

  const valueOf = (list: readonly Candidate<number>[]): bigint =>
    list.reduce((sum, { value }) => sum + value, 0n);
  const heft = (list: readonly Candidate<number>[]): number =>
    list.reduce((sum, { weight }) => sum + weight, 0);

  it("finds the best choice without change, or none", () => {
    const goals = fc.record({
      target: fc.bigInt(1n, 120n),
      window: fc.bigInt(0n, 6n),
      weightMax: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(candidates, goals, (list, goal) => {
        const { target, weightMax, window } = goal;
        const sums = subsets(list)
          .filter((subset) => heft(subset) <= weightMax)
          .map(valueOf)
          .filter((sum) => sum >= target && sum <= target + window);
        const best = sums.reduce<bigint | null>(
          (least, sum) => (least === null || sum < least ? sum : least),
          null,
        );
        const chosen = selectChangeless(list, goal);
        if (chosen === null) expect(best).toBeNull();
        else {
          const selected = list.filter(({ item }) => chosen.includes(item));
          expect(new Set(chosen).size).toBe(chosen.length);
          expect(valueOf(selected)).toBe(best);
          expect(heft(selected)).toBeLessThanOrEqual(weightMax);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("selects the fewest coins, none of them superfluous", () => {
    fc.assert(
      fc.property(candidates, fc.bigInt(1n, 150n), (list, least) => {
        const enough = subsets(list).filter((subset) => valueOf(subset) >= least);
        const chosen = selectFewest(list, least, 1_000);
        if (chosen === null) expect(enough).toEqual([]);
        else {
          expect(chosen).toHaveLength(Math.min(...enough.map(({ length }) => length)));
          expect(valueOf(chosen)).toBeGreaterThanOrEqual(least);
          for (const left of chosen)
            expect(valueOf(chosen.filter((other) => other !== left))).toBeLessThan(least);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("selects the same coins for the same candidates", () => {
    fc.assert(
      fc.property(candidates, fc.bigInt(1n, 120n), (list, target) => {
        const goal = { target, window: 3n, weightMax: 30 };
        expect(selectChangeless(list, goal)).toEqual(selectChangeless([...list], goal));
        expect(selectFewest(list, target, 30)).toEqual(selectFewest([...list], target, 30));
      }),
    );
  });

  it("selects the smallest single coin that suffices", () => {
    const list = [5n, 70n, 30n, 31n, 200n].map((value, item) => ({ item, value, weight: 1 }));
    expect(selectFewest(list, 30n, 9)?.map(({ item }) => item)).toEqual([2]);
    expect(selectFewest(list, 32n, 9)?.map(({ item }) => item)).toEqual([1]);
    expect(selectFewest(list, 230n, 9)?.map(({ item }) => item)).toEqual([4, 2]);
    expect(selectFewest(list, 230n, 1)).toBeNull();
    expect(selectFewest(list, 337n, 9)).toBeNull();
  });

  it("ends the search early among thousands of coins without a solution", () => {
    let reads = 0;
    const list = Array.from({ length: 5_000 }, (_, item) => ({
      item,
      weight: 1,
      get value() {
        reads += 1;
        return 2n * BigInt(1_000_000 + item * 7919);
      },
    }));
    // All values are even, so an odd sum is impossible.
    expect(selectChangeless(list, { target: 123_456_789n, window: 0n, weightMax: 400_000 })).toBe(
      null,
    );
    // Sorting alone takes more than 100,000 steps; without a limit the search would take 2 to the power of thousands.
    expect(reads).toBeLessThan(1_000_000);
  });
});
