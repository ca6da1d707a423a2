import { describe, expect, it } from "vitest";
import { aDeposit } from "../../../test/support/deposit-records.ts";
import { eth, rateOf, testCurrencies, units, usd } from "../../../test/support/deposit-world.ts";
import { requotedAmountOf, sourceAmountOf } from "./source-amount.ts";

describe("the amount in the payment currency", () => {
  it("is rounded up, so that it pays the requested amount in full", () => {
    const amountOf = (cents: bigint, rate: string) =>
      sourceAmountOf(cents, testCurrencies.get(usd), rateOf(rate), testCurrencies.get(eth));
    expect(amountOf(2_000_00n, "2000")).toBe(units("1", eth));
    expect(amountOf(1_00n, "3000")).toBe(units("0.000333333333333334", eth));
  });

  it("is what was received, pending or not, and the rest at the new rate", () => {
    const deposit = aDeposit({ walletCurrency: usd, targetAmountRequested: 100_00n });
    const received = {
      target: 30_00n,
      targetPending: 20_00n,
      source: units("0.01", eth),
      sourcePending: units("0.02", eth),
      sourceRefunded: units("5", eth),
    };
    expect(requotedAmountOf(deposit, received, rateOf("2000"), testCurrencies)).toBe(
      units("0.055", eth),
    );
  });
});
