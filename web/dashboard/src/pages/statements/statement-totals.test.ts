import { describe, expect, it } from "vitest";
import { statementTotals } from "./statement-totals.ts";

const nothing = {
  opening_balance: "0.00",
  payments: "0.00",
  transfers_in: "0.00",
  refunds: "0.00",
  payouts: "0.00",
  fees: "0.00",
  adjustments: "0.00",
  closing_balance: "0.00",
};

function row(wallet: string, currency: string, month: string, amounts: Record<string, string>) {
  const fiat = (code: string, amount: string) => ({ [code]: amount });
  return {
    attributes: {
      ...nothing,
      ...amounts,
      month,
      payments_fiat: fiat("USD", "10.00"),
      transfers_in_fiat: {},
      refunds_fiat: {},
      payouts_fiat: {},
      fees_fiat: month === "2026-02" ? fiat("EUR", "1.00000000") : fiat("USD", "0.00700000"),
    } as Parameters<typeof statementTotals>[0][number]["attributes"],
    relationships: { wallet: { data: { id: wallet } }, currency: { data: { id: currency } } },
  };
}

describe("statementTotals", () => {
  const { byCurrency, inFiat } = statementTotals([
    row("1", "840", "2026-02", { opening_balance: "5.00", closing_balance: "7.00" }),
    row("1", "840", "2026-01", { opening_balance: "2.00", closing_balance: "5.00", fees: "1.50" }),
    row("2", "840", "2026-01", { opening_balance: "1.00", closing_balance: "9.00", fees: "0.25" }),
    row("3", "1002", "2026-01", { payments: "0.5" }),
  ]);

  it("sums columns by currency, with each wallet's first opening and last closing balance", () => {
    expect(byCurrency.get("840")).toMatchObject({
      opening: "3.00",
      fees: "1.75",
      closing: "16.00",
    });
    expect(byCurrency.get("1002")).toMatchObject({ payments: "0.5", closing: "0.00" });
  });

  it("sums values by fiat currency with all digits", () => {
    expect(inFiat.get("USD")).toMatchObject({ payments: "40.00", fees: "0.02100000" });
    expect(inFiat.get("EUR")).toMatchObject({ payments: null, fees: "1.00000000", closing: null });
  });
});
