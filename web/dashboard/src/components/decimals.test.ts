import { describe, expect, it } from "vitest";
import {
  addDecimals,
  isPositive,
  multiplyDecimals,
  normalizeDecimal,
  subtractDecimals,
} from "./decimals.ts";

describe("multiplyDecimals", () => {
  it.each([
    ["0.040000000000000000", "2500.37", 2, "100.01"],
    ["12345678901234567890.12345678", "1", 8, "12345678901234567890.12345678"],
    ["0.1", "0.1", 4, "0.0100"],
    ["-1.5", "2", 0, "-3"],
    ["2", "0.5", 2, "1.00"],
  ])("multiplies %s by %s and truncates to %s digits", (a, b, digits, product) => {
    expect(multiplyDecimals(a, b, digits)).toBe(product);
  });

  it("returns null for text that is not a decimal", () => {
    expect(multiplyDecimals("1e3", "1", 2)).toBeNull();
  });
});

describe("addDecimals and subtractDecimals", () => {
  it("keep every digit", () => {
    expect(addDecimals("1.5", "0.000000000000000001")).toBe("1.500000000000000001");
    expect(subtractDecimals("1", "1.25")).toBe("-0.25");
    expect(subtractDecimals("1.00", "1")).toBe("0.00");
  });

  it("return null for text that is not a decimal", () => {
    expect(addDecimals("", "1")).toBeNull();
  });
});

describe("isPositive", () => {
  it("is true only for decimals greater than zero", () => {
    expect([isPositive("0.00"), isPositive("0.01"), isPositive("x")]).toEqual([false, true, false]);
  });
});

describe("normalizeDecimal", () => {
  it.each([
    [" 12.50 ", "12.50"],
    ["12,50", "12.50"],
    ["0,001", "0.001"],
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
