import { describe, expect, it } from "vitest";
import { payoutTotals } from "./payout-total.ts";

const ether = {
  amount: "0.5",
  currency: "1002",
  commission: "0.01",
  fee: "0.002",
  feeCurrency: "1002",
  isFeeIncluded: false,
};

describe("payoutTotals", () => {
  it.each([
    ["adds commission and fee in the same currency", {}, [["0.512", "1002"]]],
    ["adds no fee that is deducted from the amount", { isFeeIncluded: true }, [["0.51", "1002"]]],
    ["adds no fee inside the service", { fee: null }, [["0.51", "1002"]]],
    [
      "keeps the fee of a token apart",
      { currency: "2000" },
      [
        ["0.51", "2000"],
        ["0.002", "1002"],
      ],
    ],
    ["has no total before an amount is typed", { amount: "" }, []],
  ])("%s", (_name, changed, expected) => {
    expect(
      payoutTotals({ ...ether, ...changed }).map(({ amount, currency }) => [amount, currency]),
    ).toEqual(expected);
  });
});
