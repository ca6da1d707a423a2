import { describe, expect, it } from "vitest";
import { splitDecimal } from "./split-decimal.ts";

const format = (text: string, options: Parameters<typeof splitDecimal>[1] = {}) => {
  const { whole, fraction } = splitDecimal(text, { locale: "en-US", ...options });
  return whole + fraction;
};

describe("splitDecimal", () => {
  it.each([
    ["0.500000000000000000", "0.50"],
    ["0.000000000000000001", "0.000000000000000001"],
    ["1234567.89012345", "1,234,567.89012345"],
    ["12345678901234567890.123456789012345678", "12,345,678,901,234,567,890.123456789012345678"],
    ["-1500", "-1,500"],
    ["0.00000000", "0.00"],
    ["7", "7"],
    ["", ""],
    ["n/a", "n/a"],
  ])("formats %s as %s", (text, formatted) => {
    expect(format(text)).toBe(formatted);
  });

  it("uses the locale's grouping and decimal separator", () => {
    expect(format("1234567.50", { locale: "de-DE" })).toBe("1.234.567,50");
    expect(format("1234567.50", { locale: "en-IN" })).toBe("12,34,567.50");
  });

  it("keeps at least fractionMin digits", () => {
    expect(format("1.20000000", { fractionMin: 8 })).toBe("1.20000000");
    expect(format("1.20000000", { fractionMin: 0 })).toBe("1.2");
    expect(format("1.00000000", { fractionMin: 0 })).toBe("1");
  });
});
