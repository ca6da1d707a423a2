import { describe, expect, it } from "vitest";
import { builtInCurrencies } from "../currencies/built-in-currencies.ts";
import { decidePayment } from "./decide-payment.ts";
import type { Story } from "./simulator.ts";

const ether = builtInCurrencies.find(({ alpha }) => alpha === "ETH")!;
const tether = builtInCurrencies.find(({ alpha }) => alpha === "USDT-ETH")!;
const nothing = { targetPaid: 0n, targetPaidPending: 0n, enrolled: 0n, commission: 0n };
const sums = { ...nothing, sourcePaid: 0n, sourcePaidPending: 0n, sourceCommission: 0n };
const invoice = {
  ...({ status: 2, walletType: 1 } as const),
  sourceAmountRequested: 100n,
  sums,
  expiryConcludedAt: null,
};
const half = { ...invoice, sums: { ...sums, sourcePaid: 30n, sourcePaidPending: 20n } };
const paid = { ...invoice, status: 3, sums: { ...sums, sourcePaid: 100n } } as const;

const decided = (
  deposit: typeof invoice | typeof half | typeof paid,
  story: Story,
  amount: bigint | null = null,
) => {
  const plan = decidePayment(deposit, story, ether, tether, amount);
  if (plan.kind === "refused") return plan.field;
  const { before, expires, currency, units } = plan;
  return { before, expires, currency: currency.alpha, units };
};
const plain = { before: null, expires: false, currency: "ETH" };

describe("decidePayment", () => {
  it.each([
    [invoice, "exact", { ...plain, units: 100n }],
    [half, "exact", { ...plain, units: 50n }],
    [paid, "exact", "story"],
    [invoice, "under", { ...plain, units: 50n }],
    [half, "under", { ...plain, units: 25n }],
    [paid, "under", "story"],
    [invoice, "over", { ...plain, units: 150n }],
    [half, "over", { ...plain, units: 100n }],
    [invoice, "late", { ...plain, expires: true, units: 100n }],
    [{ ...invoice, status: 4 }, "late", { ...plain, units: 100n }],
    [{ ...invoice, walletType: 2 }, "late", "story"],
    [invoice, "second", { ...plain, before: 100n, units: 100n }],
    [paid, "second", { ...plain, units: 100n }],
    [invoice, "wrong_token", { ...plain, currency: "USDT-ETH", units: null }],
    [{ ...invoice, sourceAmountRequested: null }, "exact", "amount"],
  ] as const)("decides the payment of case %#", (deposit, story, expected) => {
    expect(decided(deposit as typeof invoice, story)).toEqual(expected);
  });

  it("pays a given amount, whatever the scenario asks for", () => {
    for (const story of ["exact", "under", "over", "second"] as const)
      expect(decided(invoice, story, 7n)).toMatchObject({ units: 7n });
  });

  it("offers no wrong token if the chain has no other currency", () => {
    expect(decidePayment(invoice, "wrong_token", ether, null, null)).toMatchObject({
      kind: "refused",
    });
  });
});
