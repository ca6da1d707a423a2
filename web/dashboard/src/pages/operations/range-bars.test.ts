import { describe, expect, it } from "vitest";
import { gaps, rangeBars } from "./range-bars.ts";

const ranges = [
  { from_height: 60, to_height: 99 },
  { from_height: 0, to_height: 49 },
];

describe("rangeBars", () => {
  it("scales ranges from the lowest height to the tip and leaves gaps open", () => {
    const { from, to, bars } = rangeBars(ranges, 99);
    expect([from, to]).toEqual([0, 99]);
    expect(bars).toEqual([
      { start: 0, length: 500 },
      { start: 600, length: 400 },
    ]);
  });

  it("keeps very short ranges and gaps visible", () => {
    const { bars } = rangeBars(
      [
        { from_height: 0, to_height: 499_999 },
        { from_height: 500_001, to_height: 999_999 },
      ],
      999_999,
    );
    const [first, second] = bars;
    expect(second!.start - (first!.start + first!.length)).toBeGreaterThanOrEqual(1);
  });
});

describe("gaps", () => {
  it("lists the missing heights, including those up to the tip", () => {
    expect(gaps(ranges, 99)).toEqual(["50 to 59"]);
    expect(gaps(ranges, 105)).toEqual(["50 to 59", "100 to 105"]);
    expect(gaps([], 7)).toEqual([]);
  });
});
