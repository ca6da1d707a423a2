import { expect, test } from "vitest";
import { addDecimals, isPositive, multiplyDecimals, subtractDecimals } from "./decimals.ts";

test.each([
  ["0.040000000000000000", "2500.37", 2, "100.01"],
  ["12345678901234567890.12345678", "1", 8, "12345678901234567890.12345678"],
  ["0.1", "0.1", 4, "0.0100"],
  ["-1.5", "2", 0, "-3"],
  ["2", "0.5", 2, "1.00"],
])("%s times %s is %s digits of %s", (one, other, digits, product) => {
  expect(multiplyDecimals(one, other, digits)).toBe(product);
});

test("sums and differences keep every digit", () => {
  expect(addDecimals("1.5", "0.000000000000000001")).toBe("1.500000000000000001");
  expect(subtractDecimals("1", "1.25")).toBe("-0.25");
  expect(subtractDecimals("1.00", "1")).toBe("0.00");
});

test("what is no decimal has no result", () => {
  expect(multiplyDecimals("1e3", "1", 2)).toBeNull();
  expect(addDecimals("", "1")).toBeNull();
  expect([isPositive("0.00"), isPositive("0.01"), isPositive("x")]).toEqual([false, true, false]);
});
