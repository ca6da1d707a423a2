import { describe, expect, it } from "vitest";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { AssetUnits, CardanoOutput } from "./block.ts";
import { contentOf } from "./block-content.ts";
import { withheldUnits } from "./withheld-units.ts";

const ada = 1_000_000n;
const policy = (number: number): string => number.toString(16).padStart(56, "0");
const token = (number: number, units = 1n): AssetUnits => ({
  asset: `${policy(number)}.${"ab".repeat(4)}`,
  units,
});
const tokens = (count: number): readonly AssetUnits[] =>
  Array.from({ length: count }, (_, at) => token(at));

describe("what the tokens of an output withhold", () => {
  it("is nothing without tokens", () => {
    expect(withheldUnits({ units: 5n * ada, assets: [] })).toBe(0n);
  });

  it("is the least amount of an output that holds them", () => {
    // 160 bytes, and 75: the map (3), the address (31), the list (1), lovelace (5), a map (1) of a policy (30), a map (1) of a name (2 + 4) of one.
    const one = 4_310n * (160n + 3n + 31n + 1n + 5n + 1n + 30n + 1n + 5n + 1n);
    expect(withheldUnits({ units: 5n * ada, assets: tokens(1) })).toBe(one);
    expect(withheldUnits({ units: 5_000n * ada, assets: tokens(1) })).toBe(one);
    expect(withheldUnits({ units: 5n * ada, assets: tokens(3) })).toBe(one + 2n * 4_310n * 37n);
    const large = withheldUnits({ units: 100n * ada, assets: tokens(134) });
    expect(large > 22n * ada && large < 23n * ada).toBe(true);
  });

  it("is never more than there is", () => {
    expect(withheldUnits({ units: ada, assets: tokens(10) })).toBe(ada);
  });

  it("is everything if no output of ours can hold so many units of a token", () => {
    const most = 2n ** 63n - 1n;
    expect(withheldUnits({ units: 9n * ada, assets: [token(1, most)] })).toBeLessThan(2n * ada);
    expect(withheldUnits({ units: 9n * ada, assets: [token(1, most + 1n)] })).toBe(9n * ada);
  });
});

describe("the transfers of a block", () => {
  it("say what is withheld of each output's ada, and nothing of its tokens", () => {
    const ref = { height: 2, hash: "4.c", parentHash: "2.d", time: instantFromSeconds(4) };
    const output = (index: number, assets: readonly AssetUnits[]): CardanoOutput => ({
      index,
      address: "addr_test1v",
      units: 5n * ada,
      assets,
      // A script stays behind when the output is spent.
      scriptBytes: 3_000,
    });
    const transaction = {
      txid: "ab",
      hasSucceeded: true,
      claims: [],
      outputs: [output(0, []), output(1, tokens(1))],
      feeUnits: null,
    };
    const { transfers } = contentOf(ref, [transaction], "1018" as CurrencyId);
    expect(transfers.map(({ key, withheldUnits: withheld }) => [key.index, withheld])).toEqual([
      [0, 0n],
      [1, withheldUnits({ units: 5n * ada, assets: tokens(1) })],
      [1_000_001, undefined],
    ]);
  });
});
