import { describe, expect, it } from "vitest";
import { addDecimals, isPositive, multiplyDecimals, subtractDecimals } from "./decimals.ts";

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
