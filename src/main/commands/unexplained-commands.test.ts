import { describe, expect, it } from "vitest";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { createRegistry } from "../../currencies/registry.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { UnexplainedSpend } from "../../treasury/recovery/unexplained-spend.ts";
import { linesOf } from "./unexplained-commands.ts";

const currencies = createRegistry(builtInCurrencies);
const seen: UnexplainedSpend = {
  chain: "XRP",
  txid: "AB",
  sender: "rHot",
  claims: ["rHot#7"],
  payments: [],
  feeUnits: 10n,
  block: { height: 9, hash: "CD" },
  seenAt: 0 as Instant,
  decidedAt: null,
  reason: null,
  payoutIds: [],
  candidates: [],
};

describe("the lines of an unexplained transaction", () => {
  it("name the tag of each payment, and the payouts that it may have paid", () => {
    const currency = "1010" as CurrencyId;
    const payment = { address: "rShop", currency, units: 1_500_000n, isOwn: false };
    const payments = [
      { ...payment, to: "rShop:111", tag: "111" },
      { ...payment, to: "rShop" },
      { ...payment, to: "rHot", address: "rHot", isOwn: true },
    ];
    expect(linesOf({ ...seen, payments }, ["41"], currencies)).toEqual([
      "XRP AB, block 9, seen 1970-01-01T00:00:00.000000Z",
      "  paid 1.5 XRP to rShop, tag 111",
      "  paid 1.5 XRP to rShop",
      "  payouts with the same receiver and amount: 41",
    ]);
  });
});
