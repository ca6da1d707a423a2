/** Tests that amounts are formatted for the locale with all digits, and never through a float. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatAmount,
  formatPrice,
  isPositive,
  plainAmount,
  shortenAmount,
} from "./format-amount.ts";

describe("plainAmount", () => {
  it.each([
    ["0.00100000", "0.001"],
    ["1.000000000000000000", "1"],
    ["0.000000000000000001", "0.000000000000000001"],
    ["1200", "1200"],
    ["0", "0"],
  ])("formats %s as %s", (amount, plain) => {
    expect(plainAmount(amount)).toBe(plain);
  });

  it("rejects text that is not a decimal", () => {
    for (const text of ["", "1e5", "-1", "1.", ".5", "NaN"]) {
      expect(() => plainAmount(text)).toThrow("is not a decimal");
    }
  });
});

describe("formatAmount", () => {
  it.each([
    ["1234567.891000000000000001", "en-US", "1,234,567.891000000000000001"],
    ["1234567.891000000000000001", "de", "1.234.567,891000000000000001"],
    ["12345.5", "es", "12.345,5"],
    ["12345.5", "zh-Hans", "12,345.5"],
    ["9007199254740993", "en", "9,007,199,254,740,993"],
  ])("formats %s in %s as %s", (amount, locale, shown) => {
    expect(formatAmount(amount, locale)).toBe(shown);
  });

  it("uses Latin digits in Arabic, which wallets accept", () => {
    expect(formatAmount("1234.5", "ar-EG")).toMatch(/^1\D?234\D5$/);
  });

  it("keeps every digit of any amount", () => {
    const decimals = fc.tuple(fc.bigInt(0n, 10n ** 30n), fc.stringMatching(/^[0-9]{1,18}$/));
    fc.assert(
      fc.property(decimals, ([whole, fraction]) => {
        const shown = formatAmount(`${whole}.${fraction}`, "en-US").replaceAll(",", "");
        const [units = "", digits = ""] = shown.split(".");
        expect(BigInt(units)).toBe(whole);
        expect(digits.padEnd(18, "0")).toBe(fraction.padEnd(18, "0"));
      }),
      { seed: 1 },
    );
  });
});

describe("formatPrice", () => {
  it.each([
    ["49.9", "EUR", 2, "de", "49,90\u00a0€"],
    ["1200.00", "USD", 2, "en-US", "$1,200.00"],
    ["5000", "JPY", 0, "en-US", "¥5,000"],
    ["12.345", "KWD", 3, "en-US", "KWD\u00a012.345"],
    ["0.00100000", "BTC", 8, "en", "0.001\u00a0BTC"],
    ["12.50", "USDT-ETH", 6, "en", "12.50\u00a0USDT-ETH"],
  ])("formats %s %s as a price", (amount, code, precision, locale, shown) => {
    expect(formatPrice(amount, code, precision, locale)).toBe(shown);
  });
});

describe("shortenAmount", () => {
  it.each([
    ["63873.45678", 2, { amount: "63873.45", isExact: false }],
    ["63873.4500", 2, { amount: "63873.45", isExact: true }],
    ["0.0000123456789", 2, { amount: "0.0000123456", isExact: false }],
    ["3000", 2, { amount: "3000", isExact: true }],
  ])("truncates %s", (text, digits, shown) => {
    expect(shortenAmount(text, digits)).toEqual(shown);
  });
});

describe("isPositive", () => {
  it("is true only above zero", () => {
    expect(["0", "0.000", "0.0001", "10"].map(isPositive)).toEqual([false, false, true, true]);
  });
});
