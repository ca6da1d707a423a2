import { describe, expect, it } from "vitest";
import { evmChain } from "../../../test/support/known-chains.ts";
import { fc } from "../../../test/support/property.ts";
import { feeHistories } from "../../../test/support/recorded-fee-histories.ts";
import { Malformed } from "../rpc/answer.ts";
import {
  estimateFees,
  estimateLegacyFees,
  estimateWithoutHistory,
  type FeeLevels,
  type GasFees,
} from "./estimate-fees.ts";
import { readFeeHistory } from "./fee-questions.ts";

describe("estimateFees", () => {
  /* Fees computed from recorded histories of the real networks, in wei per gas: the maximum fee and the tip. */

  const text = ({ maxFeePerGas, maxPriorityFeePerGas }: GasFees): string =>
    `${maxFeePerGas} ${maxPriorityFeePerGas}`;
  const texts = ({ low, medium, high }: FeeLevels): readonly string[] =>
    [low, medium, high].map(text);

  function levelsOf(chain: string, history: unknown): readonly string[] {
    const { leastTip } = evmChain(chain);
    return texts(estimateFees(readFeeHistory(history), leastTip));
  }

  it("computes Ethereum's fees from 0.54 gwei of base fee and tips from nearly zero to two gwei", () => {
    expect(levelsOf("ETH", feeHistories.ethereum)).toEqual([
      "608748791 1000000",
      "958313083 189131019",
      "3095183057 2000000000",
    ]);
  });

  it("uses the tip as the whole price on BNB Smart Chain, which has no base fee", () => {
    expect(levelsOf("BNB-BSC", feeHistories.bsc)).toEqual([
      "100000000 100000000",
      "110000000 110000000",
      "120000001 120000001",
    ]);
  });

  it("never goes below Polygon's 25 gwei minimum and ignores the odd cheap block", () => {
    expect(levelsOf("MATIC", feeHistories.polygon)).toEqual([
      "165038691170 30000000000",
      "213332189953 42423846440",
      "290187757186 46843650893",
    ]);
  });

  it("adds no tips on Arbitrum", () => {
    expect(levelsOf("ARB", feeHistories.arbitrum)).toEqual([
      "22655250 0",
      "28673052 0",
      "40825499 0",
    ]);
  });

  it("computes Base's fees with tips and from a node that reports none", () => {
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

  it("handles OP Mainnet's base fee of nearly zero", () => {
    expect(levelsOf("OPT", feeHistories.optimism)).toEqual([
      "1000761 1000000",
      "1000965 1000000",
      "1501375 1500000",
    ]);
  });

  it("ignores the tips of Avalanche's empty blocks", () => {
    expect(levelsOf("AVAX", feeHistories.avalanche)).toEqual([
      "1125000001 1",
      "1523828125 100000000",
      "3527286531 1500000000",
    ]);
  });

  it("keeps the levels in order and above the next base fee for any history", () => {
    const tip = fc.bigInt({ min: 0n, max: 10n ** 12n });
    const row = fc.tuple(tip, tip, tip).map((tips) => tips.toSorted((a, b) => Number(a - b)));
    const history = fc.record({
      baseFees: fc.array(tip, { minLength: 1, maxLength: 21 }),
      tips: fc.array(row, { maxLength: 20 }),
    });
    fc.assert(
      fc.property(history, fc.bigInt({ min: 0n, max: 10n ** 11n }), (fees, leastTip) => {
        const { low, medium, high } = estimateFees(fees, leastTip);
        const next = fees.baseFees.at(-1) ?? 0n;
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

  it("derives the tip from the node's price when there is no history", () => {
    expect(texts(estimateWithoutHistory(800n, 900n, 1n))).toEqual([
      "1000 100",
      "1240 100",
      "1725 100",
    ]);
    expect(estimateWithoutHistory(800n, 700n, 1n).low.maxPriorityFeePerGas).toBe(1n);
  });

  it.each<readonly [string, unknown]>([
    ["a wrong type", []],
    ["no base fee", { baseFeePerGas: [], reward: [] }],
    ["other percentiles", { baseFeePerGas: ["0x1"], reward: [["0x1", "0x2"]] }],
    ["a decimal number", { baseFeePerGas: [10], reward: [] }],
  ])("rejects a history of %s", (_case, history) => {
    expect(() => readFeeHistory(history)).toThrow(Malformed);
  });
});
