import { describe, expect, it } from "vitest";
import type { Coin } from "../../chains/paying-port.ts";
import { chooseCoins } from "./consolidate-coins.ts";
import { excessOf } from "./move-excess-to-cold.ts";

const coins = (...units: readonly number[]): readonly Coin[] =>
  units.map((each, place) => ({
    claim: `${"ab".repeat(32)}:${place}`,
    units: BigInt(each),
    addressType: "bech32",
    branch: 0,
    keyIndex: place,
  }));

describe("chooseCoins", () => {
  it.each([
    // coins, most coins left alone, most inputs; the chosen coins
    [[5, 4, 3], 3, 10, []],
    [[5, 4, 3, 2], 3, 10, [2, 3]],
    [[5, 4, 3, 2, 1], 3, 10, [1, 2, 3]],
    [[5, 4, 3, 2, 1], 3, 2, [1, 2]],
    [[1, 5, 2], 1, 10, [1, 2, 5]],
    [[], 0, 10, []],
    [[7], 0, 10, []],
  ] as const)(
    "chooses among %j, leaving %i alone and taking at most %i: %j",
    (units, coinsMax, inputsMax, chosen) => {
      const settings = { coinsMax, inputsMax, feePerCoin: 0n };
      expect(chooseCoins(coins(...units), settings).map((coin) => Number(coin.units))).toEqual(
        chosen,
      );
    },
  );

  it("leaves dust alone, however much there is, and merges what is worth it", () => {
    const settings = { coinsMax: 2, inputsMax: 10, feePerCoin: 10n };
    const unitsOf = (...units: readonly number[]) =>
      chooseCoins(coins(...units), settings).map((coin) => Number(coin.units));
    expect(unitsOf(50, 40, 10, 10, 10, 1)).toEqual([]);
    expect(unitsOf(50, 10, 40, 1, 30, 10)).toEqual([30, 40]);
  });
});

describe("excessOf", () => {
  it.each([
    // held, needed, ceiling; excess
    [100n, 0n, 100n, 0n],
    [104n, 0n, 100n, 0n],
    [105n, 0n, 100n, 5n],
    [200n, 90n, 100n, 10n],
    [200n, 100n, 100n, 0n],
    [50n, 0n, 0n, 50n],
    [0n, 0n, 0n, 0n],
  ])("of %i held, %i needed and a ceiling of %i, moves %i", (held, needed, ceiling, excess) => {
    expect(excessOf(held, needed, ceiling)).toBe(excess);
  });
});
