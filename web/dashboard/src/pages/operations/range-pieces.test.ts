import { expect, test } from "vitest";
import { gaps, rangePieces } from "./range-pieces.ts";

const ranges = [
  { from_height: 60, to_height: 99 },
  { from_height: 0, to_height: 49 },
];

test("ranges are drawn from the lowest height to the tip, and a gap stays open", () => {
  const { from, to, pieces } = rangePieces(ranges, 99);
  expect([from, to]).toEqual([0, 99]);
  expect(pieces).toEqual([
    { start: 0, length: 500 },
    { start: 600, length: 400 },
  ]);
});

test("what is thin is drawn, and so is a thin gap", () => {
  const { pieces } = rangePieces(
    [
      { from_height: 0, to_height: 499_999 },
      { from_height: 500_001, to_height: 999_999 },
    ],
    999_999,
  );
  const [first, second] = pieces;
  expect(second!.start - (first!.start + first!.length)).toBeGreaterThanOrEqual(1);
});

test("gaps are told in words, the one up to the tip too", () => {
  expect(gaps(ranges, 99)).toEqual(["50 to 59"]);
  expect(gaps(ranges, 105)).toEqual(["50 to 59", "100 to 105"]);
  expect(gaps([], 7)).toEqual([]);
});
