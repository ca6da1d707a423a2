import { describe, expect, it } from "vitest";
import { normalizeDecimal } from "./normalize-decimal.ts";

describe("normalizeDecimal", () => {
  it.each([
    [" 12.50 ", "12.50"],
    ["12,50", "12.50"],
    ["0,001", "0.001"],
    ["0,005", "0.005"],
    ["1,2345", "1.2345"],
  ])("reads %s as %s", (typed, expected) => {
    expect(normalizeDecimal(typed)).toBe(expected);
  });

  it.each(["1,000", "12,345", "1,000,000", "1,000.50", "12,", ",5", "abc"])(
    "leaves %s unchanged because it is ambiguous or not a number",
    (typed) => {
      expect(normalizeDecimal(typed)).toBe(typed);
    },
  );
});
