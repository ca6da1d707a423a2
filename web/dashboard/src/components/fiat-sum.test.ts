import { describe, expect, it } from "vitest";
import { sumOfValues } from "./fiat-sum.ts";

const usd = (amount: string) => ({ amount, currency: "840" });
const eur = (amount: string) => ({ amount, currency: "978" });

describe("sumOfValues", () => {
  it.each([
    ["payments of one currency", [usd("0.10"), usd("0.20")], usd("0.30")],
    ["one payment", [usd("3000.00")], usd("3000.00")],
    ["no payment", [], null],
    ["a payment without a value", [usd("1.00"), null, usd("2.00")], null],
    ["payments of two currencies", [usd("1.00"), eur("1.00"), usd("1.00")], null],
  ])("of %s", (_case, values, sum) => {
    expect(sumOfValues(values)).toEqual(sum);
  });
});
