import { describe, expect, it } from "vitest";
import { addedFee, type FeeFacts } from "./added-fee.ts";

function attempt(fee: number, claims: readonly string[], decisive?: readonly string[]): FeeFacts {
  return { claims, feeUnits: String(fee), ...(decisive === undefined ? {} : { decisive }) };
}

describe("what an attempt adds to the fees of its spend", () => {
  it("is all of it without an earlier one", () => {
    expect(addedFee([], attempt(10, ["a"]))).toBe(10n);
    expect(addedFee([], attempt(10, []))).toBe(10n);
  });

  it("is what exceeds the most expensive of those that exclude it, and never negative", () => {
    const attempts = [attempt(10, ["a", "b"]), attempt(14, ["b", "c"]), attempt(7, ["a"])];
    expect(addedFee(attempts, attempt(20, ["a", "c"]))).toBe(6n);
    expect(addedFee(attempts, attempt(14, ["b"]))).toBe(0n);
    expect(addedFee(attempts, attempt(2, ["b"]))).toBe(0n);
    expect(addedFee(attempts, attempt(2, ["d"]))).toBe(2n);
  });

  it("counts beside those with which it shares claims that do not decide", () => {
    const attempts = [
      attempt(10, ["gas#5", "deposit#0"], ["gas#5"]),
      attempt(12, ["gas#6", "deposit#0"], ["gas#6"]),
    ];
    expect(addedFee(attempts, attempt(11, ["gas#7", "deposit#0"], ["gas#7"]))).toBe(11n);
    expect(addedFee(attempts, attempt(11, ["gas#5", "deposit#0"], ["gas#5"]))).toBe(1n);
    expect(addedFee(attempts, attempt(11, ["gas#6", "gas#5"], ["gas#6"]))).toBe(0n);
  });

  it("takes all claims of an attempt of an earlier release as decisive", () => {
    const attempts = [attempt(10, ["deposit#0", "gas#5"])];
    expect(addedFee(attempts, attempt(11, ["gas#5", "deposit#0"], ["gas#5"]))).toBe(1n);
    expect(addedFee(attempts, attempt(11, ["gas#6", "deposit#0"], ["gas#6"]))).toBe(11n);
  });
});
