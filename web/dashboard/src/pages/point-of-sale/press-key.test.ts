import { expect, it } from "vitest";
import { isChargeable, type PadKey, pressKey } from "./press-key.ts";

/* The amount pad never holds a text that is no amount. */

const typed = (keys: string, decimals = 2): string =>
  Array.from(keys).reduce(
    (amount, key) => pressKey(amount, key === "<" ? "back" : (key as PadKey), decimals),
    "",
  );

it.each([
  ["125", "125"],
  ["12.5", "12.5"],
  ["12.345", "12.34"],
  ["1..5", "1.5"],
  [".5", "0.5"],
  ["007", "7"],
  ["12<<<3", "3"],
  ["1234567890", "123456789"],
  ["123456789.12", "123456789.12"],
])("keys %s give %s", (keys, amount) => {
  expect(typed(keys)).toBe(amount);
});

it("takes no point for a currency without decimals", () => {
  expect(typed("1.5", 0)).toBe("15");
});

it.each([
  ["", false],
  ["0.00", false],
  ["0.01", true],
])("%s can be charged: %s", (amount, is) => {
  expect(isChargeable(amount)).toBe(is);
});
