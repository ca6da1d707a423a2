import { describe, expect, it } from "vitest";
import { aDeposit } from "../../../test/support/deposit-records.ts";
import { eth, rateOf, testCurrencies, usd } from "../../../test/support/deposit-world.ts";
import { isTolerated, leastPayableOf, toleranceOf } from "./tolerance.ts";

const none = { inaccuracy: null, toleranceBelow: null, toleranceAbove: null };

describe("how far payments may miss the requested amount", () => {
  it("is what the request says, else the account's tolerances, else nothing", () => {
    expect(toleranceOf(none)).toEqual({ below: 0n, above: 0n });
    const accounts = { ...none, toleranceBelow: 3n, toleranceAbove: 4n };
    expect(toleranceOf(accounts)).toEqual({ below: 3n, above: 4n });
    expect(toleranceOf({ ...accounts, inaccuracy: 0n })).toEqual({ below: 0n, above: 0n });
    expect(toleranceOf({ ...accounts, inaccuracy: 9n })).toEqual({ below: 9n, above: 9n });
  });

  it("includes a shortfall as large as the tolerance, and any that nobody can send", () => {
    const below = { ...none, toleranceBelow: 3n };
    expect([2n, 3n, 4n].map((missing) => isTolerated(missing, below, 0n))).toEqual([
      true,
      true,
      false,
    ]);
    expect([4n, 5n].map((missing) => isTolerated(missing, below, 5n))).toEqual([true, false]);
  });
});

describe("the least that a payer can send", () => {
  const deposit = aDeposit({ walletCurrency: usd, toleranceBelow: 0n });
  const { minimalTransferUnits, exp } = testCurrencies.get(eth);

  it("is the payment currency's minimum at the rate, rounded up to a unit of the wallet's", () => {
    expect([minimalTransferUnits, exp, testCurrencies.get(usd).exp]).toEqual([10n ** 13n, 18, 2]);
    // 0.00001 ether at 300000 are 3 dollars, at 2000.01 two cents and a little more.
    expect(leastPayableOf(deposit, rateOf("300000"), testCurrencies)).toBe(300n);
    expect(leastPayableOf(deposit, rateOf("2000.01"), testCurrencies)).toBe(3n);
  });

  it("is nothing where the request sets the tolerance, and without a currency or a rate", () => {
    const rate = rateOf("2000");
    expect(leastPayableOf({ ...deposit, toleranceBelow: null }, rate, testCurrencies)).toBe(0n);
    expect(leastPayableOf({ ...deposit, currency: null }, rate, testCurrencies)).toBe(0n);
    expect(leastPayableOf(deposit, null, testCurrencies)).toBe(0n);
  });
});
