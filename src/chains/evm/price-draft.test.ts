import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { FeeLevels, GasFees } from "./estimate-fees.ts";
import { type PriceRequest, priceDraft } from "./price-draft.ts";

/* A draft's gas price, bounded by the payer's charge, the chain's fees and the operator's ceiling. */

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): GasFees => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
});
const levels: FeeLevels = {
  kind: "eip1559",
  low: fees(100n, 10n),
  medium: fees(200n, 20n),
  high: fees(400n, 40n),
};
const request: PriceRequest = {
  levels,
  gas: 1000n,
  dataFee: 0n,
  feeTarget: null,
  feeCeiling: 10n ** 9n,
  nodeFeeMost: null,
  replaces: null,
};

describe("priceDraft", () => {
  it.each<readonly [string, Partial<PriceRequest>, GasFees]>([
    ["no target: the medium level", {}, fees(200n, 20n)],
    ["a target of the high level", { feeTarget: 400_000n }, fees(400n, 40n)],
    ["a target above it: no greater tip", { feeTarget: 900_000n }, fees(900n, 40n)],
    ["a target between two levels: the lower one's tip", { feeTarget: 399_999n }, fees(399n, 20n)],
    ["a target below the low level: the low level", { feeTarget: 50_000n }, fees(100n, 10n)],
    [
      "no target left after the data fee",
      { dataFee: 60_000n, feeTarget: 50_000n },
      fees(100n, 10n),
    ],
    ["the data's part of the target", { dataFee: 50_000n, feeTarget: 300_000n }, fees(250n, 20n)],
    ["a ceiling below the target", { feeTarget: 400_000n, feeCeiling: 150_999n }, fees(150n, 10n)],
    ["the data's part of the ceiling", { dataFee: 40_000n, feeCeiling: 150_000n }, fees(110n, 10n)],
    ["a ceiling of exactly the low level", { feeCeiling: 100_000n }, fees(100n, 10n)],
    ["a replacement at a rising market", { replaces: fees(100n, 10n) }, fees(200n, 20n)],
    ["one at a standing market", { replaces: fees(400n, 40n) }, fees(450n, 45n)],
    ["one with fees rounded up", { replaces: fees(401n, 41n) }, fees(452n, 47n)],
    ["one without a tip", { replaces: fees(1000n, 0n) }, fees(1125n, 40n)],
    ["one up to its target", { replaces: fees(400n, 40n), feeTarget: 600_000n }, fees(600n, 45n)],
    [
      "one whose market fee is above the ceiling",
      { replaces: fees(100n, 10n), feeCeiling: 120_000n },
      fees(120n, 12n),
    ],
    ["the nodes' limit below the target", { nodeFeeMost: 150_999n }, fees(150n, 10n)],
    [
      "the nodes' limit, which does not count the data fee",
      { nodeFeeMost: 150_000n, dataFee: 40_000n },
      fees(150n, 10n),
    ],
    [
      "one of what no node has, below its fee",
      { replaces: fees(400n, 40n), nodeFeeMost: 150_000n },
      fees(150n, 10n),
    ],
    [
      "one of what nodes have, at their limit",
      { replaces: fees(400n, 40n), nodeFeeMost: 450_000n },
      fees(450n, 45n),
    ],
  ])("prices a draft with %s", (_case, altered, expected) => {
    expect(priceDraft({ ...request, ...altered })).toEqual({ kind: "fees", fees: expected });
  });

  it.each<readonly [string, Partial<PriceRequest>, bigint]>([
    ["the low level above the ceiling", { feeCeiling: 99_999n }, 100_000n],
    ["the data fee above the ceiling", { dataFee: 10n ** 9n }, 10n ** 9n + 100_000n],
    [
      "the minimum replacement above the ceiling",
      { replaces: fees(400n, 40n), feeCeiling: 449_999n },
      450_000n,
    ],
    ["the low level above the nodes' limit", { nodeFeeMost: 99_999n }, 100_000n],
    [
      "the minimum replacement above the nodes' limit, of what they have with less gas",
      { replaces: { ...fees(400n, 40n), gas: 900n }, nodeFeeMost: 360_000n },
      450_000n,
    ],
    [
      "the minimum replacement above the nodes' limit",
      { replaces: fees(400n, 40n), nodeFeeMost: 449_999n },
      450_000n,
    ],
  ])("rejects as too expensive: %s", (_case, altered, feeUnits) => {
    expect(priceDraft({ ...request, ...altered })).toEqual({ kind: "tooExpensive", feeUnits });
  });

  it("uses the whole price as the tip without a base fee", () => {
    const legacy: FeeLevels = { ...levels, kind: "legacy" };
    expect(priceDraft({ ...request, levels: legacy, feeTarget: 300_000n })).toEqual({
      kind: "fees",
      fees: fees(300n, 300n),
    });
  });

  it("never exceeds the ceiling, never tips above the fee, and always replaces by enough for every node", () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    const replaced = fc
      .tuple(amount, amount)
      .map(([one, other]) => fees(one + other, minBigInt(one, other)));
    fc.assert(
      fc.property(
        fc.record({
          feeTarget: fc.option(amount),
          feeCeiling: amount,
          dataFee: fc.bigInt({ min: 0n, max: 10n ** 6n }),
          gas: fc.bigInt({ min: 21_000n, max: 10n ** 6n }),
          replaces: fc.option(replaced),
        }),
        (asked) => {
          const price = priceDraft({ ...request, ...asked });
          const { gas, dataFee, feeCeiling, replaces } = asked;
          if (price.kind === "tooExpensive") {
            expect(price.feeUnits).toBeGreaterThan(feeCeiling);
            return;
          }
          const { maxFeePerGas, maxPriorityFeePerGas } = price.fees;
          expect(gas * maxFeePerGas + dataFee).toBeLessThanOrEqual(feeCeiling);
          expect(maxPriorityFeePerGas).toBeLessThanOrEqual(maxFeePerGas);
          if (replaces === null) return;
          for (const name of ["maxFeePerGas", "maxPriorityFeePerGas"] as const) {
            expect(price.fees[name]).toBeGreaterThan(replaces[name]);
            expect(price.fees[name] * 8n).toBeGreaterThanOrEqual(replaces[name] * 9n);
          }
        },
      ),
    );
  });
});
