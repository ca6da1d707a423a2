import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { feeHistories } from "../../../test/support/recorded-fee-histories.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Malformed } from "./answer.ts";
import {
  estimateFees,
  estimateLegacyFees,
  estimateWithoutHistory,
  type FeeLevels,
  type GasFees,
} from "./estimate-fees.ts";
import { findEvmChain } from "./evm-chains.ts";
import { readFeeHistory } from "./fee-questions.ts";

describe("estimateFees", () => {
  /* What fees are made of histories of the real networks (see where they are kept), in wei per gas: the whole fee, the tip. */

  const text = ({ maxFeePerGas, maxPriorityFeePerGas }: GasFees): string =>
    `${maxFeePerGas} ${maxPriorityFeePerGas}`;
  const texts = ({ low, medium, high }: FeeLevels): readonly string[] =>
    [low, medium, high].map(text);

  function levelsOf(chain: string, history: unknown): readonly string[] {
    const { leastTip } = present(findEvmChain(chain), chain);
    return texts(estimateFees(readFeeHistory(history), leastTip));
  }

  it("Ethereum: 0.54 gwei of base fee, tips from next to nothing to two gwei", () => {
    expect(levelsOf("ETH", feeHistories.ethereum)).toEqual([
      "608748791 1000000",
      "958313083 189131019",
      "3095183057 2000000000",
    ]);
  });

  it("BNB Smart Chain: no base fee, so that the tip is the whole price", () => {
    expect(levelsOf("BNB-BSC", feeHistories.bsc)).toEqual([
      "100000000 100000000",
      "110000000 110000000",
      "120000001 120000001",
    ]);
  });

  it("Polygon: never less than the 25 gwei that its nodes want, and the odd cheap block counts for one", () => {
    expect(levelsOf("MATIC", feeHistories.polygon)).toEqual([
      "165038691170 30000000000",
      "213332189953 42423846440",
      "290187757186 46843650893",
    ]);
  });

  it("Arbitrum: tips buy nothing", () => {
    expect(levelsOf("ARB", feeHistories.arbitrum)).toEqual([
      "22655250 0",
      "28673052 0",
      "40825499 0",
    ]);
  });

  it("Base: with tips, and of a node that tells none", () => {
    expect(levelsOf("ETH-BASE", feeHistories.base)).toEqual([
      "6732909 1000000",
      "8355714 1100000",
      "60330891 50000000",
    ]);
    expect(levelsOf("ETH-BASE", feeHistories.baseWithoutTips)).toEqual([
      "6732909 1000000",
      "8255714 1000000",
      "11330891 1000000",
    ]);
  });

  it("OP Mainnet: a base fee of next to nothing", () => {
    expect(levelsOf("OPT", feeHistories.optimism)).toEqual([
      "1000761 1000000",
      "1000965 1000000",
      "1501375 1500000",
    ]);
  });

  it("Avalanche: an empty block says nothing of tips", () => {
    expect(levelsOf("AVAX", feeHistories.avalanche)).toEqual([
      "1125000001 1",
      "1523828125 100000000",
      "3527286531 1500000000",
    ]);
  });

  it("keeps the levels in order and above the next base fee for any history", () => {
    const tip = fc.bigInt({ min: 0n, max: 10n ** 12n });
    const row = fc
      .tuple(tip, tip, tip)
      .map((tips) => tips.toSorted((one, other) => Number(one - other)));
    const history = fc.record({
      baseFees: fc.array(tip, { minLength: 1, maxLength: 21 }),
      tips: fc.array(row, { maxLength: 20 }),
    });
    fc.assert(
      fc.property(history, fc.bigInt({ min: 0n, max: 10n ** 11n }), (told, leastTip) => {
        const { low, medium, high } = estimateFees(told, leastTip);
        const next = told.baseFees.at(-1) ?? 0n;
        for (const { maxFeePerGas, maxPriorityFeePerGas } of [low, medium, high]) {
          expect(maxPriorityFeePerGas).toBeGreaterThanOrEqual(leastTip);
          expect(maxFeePerGas - maxPriorityFeePerGas).toBeGreaterThanOrEqual(next + next / 8n);
        }
        expect(low.maxFeePerGas).toBeLessThanOrEqual(medium.maxFeePerGas);
        expect(medium.maxFeePerGas).toBeLessThanOrEqual(high.maxFeePerGas);
        expect(low.maxPriorityFeePerGas).toBeLessThanOrEqual(medium.maxPriorityFeePerGas);
        expect(medium.maxPriorityFeePerGas).toBeLessThanOrEqual(high.maxPriorityFeePerGas);
      }),
    );
  });

  it("starts from the node's price on chains without a base fee", () => {
    const levels = estimateLegacyFees(3_000_000_001n, 1n);
    expect(levels.kind).toBe("legacy");
    expect(texts(levels)).toEqual([
      "3000000001 3000000001",
      "3300000002 3300000002",
      "3900000002 3900000002",
    ]);
    expect(estimateLegacyFees(0n, 5n).low.maxFeePerGas).toBe(5n);
  });

  it("without a history the node's price tells the tip", () => {
    expect(texts(estimateWithoutHistory(800n, 900n, 1n))).toEqual([
      "1000 100",
      "1240 100",
      "1725 100",
    ]);
    expect(estimateWithoutHistory(800n, 700n, 1n).low.maxPriorityFeePerGas).toBe(1n);
  });

  it.each<readonly [string, unknown]>([
    ["no object", []],
    ["no base fee", { baseFeePerGas: [], reward: [] }],
    ["other percentiles", { baseFeePerGas: ["0x1"], reward: [["0x1", "0x2"]] }],
    ["a decimal number", { baseFeePerGas: [10], reward: [] }],
  ])("a history of %s is no answer", (_case, history) => {
    expect(() => readFeeHistory(history)).toThrow(Malformed);
  });
});
