import { describe, expect, it } from "vitest";
import { feeAt, feeOfWeight, virtualSizeOf, weightOf } from "./transaction-weight.ts";

describe("transaction weight", () => {
  /*
   * Sizes on which wallets and calculators agree, and fees to the unit. test/nodes/utxo-payouts.test.ts compares them with real
   * signed transactions.
   */

  /** Lengths of output scripts. */
  const script = { legacy: 25, scriptHash: 23, bech32: 22, taproot: 34 };

  it("computes the known sizes of common transactions", () => {
    const twoTo = (length: number): number[] => [length, length];
    expect(virtualSizeOf({ inputs: ["legacy"], scriptLengths: twoTo(script.legacy) })).toBe(225);
    expect(
      virtualSizeOf({ inputs: ["p2sh-segwit"], scriptLengths: twoTo(script.scriptHash) }),
    ).toBe(166);
    expect(weightOf({ inputs: ["bech32"], scriptLengths: twoTo(script.bech32) })).toBe(561);
    expect(virtualSizeOf({ inputs: ["bech32"], scriptLengths: twoTo(script.bech32) })).toBe(141);
    expect(virtualSizeOf({ inputs: ["bech32m"], scriptLengths: twoTo(script.taproot) })).toBe(154);
  });

  it("counts the empty witness of a legacy input beside a segwit one", () => {
    const bare = weightOf({ inputs: ["legacy"], scriptLengths: [22] });
    const segwit = weightOf({ inputs: ["bech32"], scriptLengths: [22] });
    const frame = weightOf({ inputs: [], scriptLengths: [22] });
    const mark = 2;
    expect(weightOf({ inputs: ["legacy", "bech32"], scriptLengths: [22] })).toBe(
      bare + segwit - frame + 1,
    );
    expect(segwit - frame - mark).toBe(271);
  });

  it("encodes counts from 253 in three bytes", () => {
    const inputs = Array.from({ length: 252 }, () => "bech32" as const);
    const before = weightOf({ inputs, scriptLengths: [22] });
    const after = weightOf({ inputs: [...inputs, "bech32"], scriptLengths: [22] });
    expect(after - before).toBe(271 + 8);
  });

  it("rounds fees up, so that parts are never cheaper than the whole", () => {
    expect(feeAt(1_000n, 141)).toBe(141n);
    expect(feeAt(1_001n, 141)).toBe(142n);
    expect(feeAt(1n, 1)).toBe(1n);
    expect(feeOfWeight(1_000n, 561)).toBe(141n);
    expect(feeOfWeight(1_000n, 560)).toBe(140n);
  });
});
