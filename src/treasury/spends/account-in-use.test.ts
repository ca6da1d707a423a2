import { describe, expect, it } from "vitest";
import { attemptOf, draftOf, spendOf } from "../../../test/support/spend-records.ts";
import { type CurrencyId, money } from "../../platform/kernel/money.ts";
import { freeUnits, outflow } from "./account-in-use.ts";
import type { Spend } from "./spend.ts";

const coin = "1002" as CurrencyId;
const token = "2015" as CurrencyId;
const to = { address: "0xb", addressType: null, tag: null };
const spend = {
  ...spendOf([], { sender: "0xa", feeCurrency: coin }),
  request: {
    payments: [{ destination: to, amount: money(100n, token) }],
    funds: { kind: "account" as const, address: "0xa", sequence: 1n },
  },
  attempts: [
    attemptOf("broadcast", { draft: draftOf(["0xa#1"], 10n) }),
    attemptOf("signed", { number: 2, draft: draftOf(["0xa#1"], 15n) }),
    attemptOf("refused", { number: 3, draft: draftOf(["0xa#1"], 99n) }),
  ],
};
const inclusion = {
  attempt: 1,
  height: 5,
  hash: "h",
  burntUnits: 4n,
  hasSucceeded: true,
  delivery: null,
  lost: [],
};

describe("outflow", () => {
  it("counts payments and the highest fee of an open spend, the burnt fee of a mined one, and only that fee of a reverted one", () => {
    const both = (one: Spend): readonly bigint[] => [outflow(one, token), outflow(one, coin)];
    expect(both(spend)).toEqual([100n, 15n]);
    expect(both({ ...spend, inclusion })).toEqual([100n, 4n]);
    const reverted = { ...spend, inclusion: { ...inclusion, hasSucceeded: false } };
    expect(both(reverted)).toEqual([0n, 4n]);
    const cold = { ...spend, request: null, leaves: money(7n, coin) };
    expect(outflow(cold, coin)).toBe(22n);
  });
});

describe("freeUnits", () => {
  it.each([
    // final, latest, open, included, reserved, free
    [100n, 100n, 0n, 0n, 0n, 100n],
    [100n, 100n, 30n, 0n, 0n, 70n],
    // Spent above the confirmation depth: `final` still contains it, `latest` does not.
    [100n, 60n, 0n, 40n, 0n, 60n],
    [100n, 60n, 10n, 40n, 0n, 50n],
    // Received above the confirmation depth: not available yet.
    [100n, 500n, 0n, 0n, 0n, 100n],
    [100n, 90n, 0n, 0n, 0n, 90n],
    [0n, 500n, 0n, 0n, 0n, 0n],
    // The chain keeps back a reserve, whatever else is in progress.
    [100n, 100n, 0n, 0n, 12n, 88n],
    [100n, 60n, 10n, 40n, 12n, 38n],
    [10n, 10n, 0n, 0n, 12n, -2n],
  ])(
    "of %i final, %i latest, %i open, %i included and %i reserved units leaves %i free",
    (final, latest, open, included, reserved, free) => {
      const inUse = { open: () => open, included: () => included };
      expect(freeUnits({ final, latest, reserved }, inUse, coin)).toBe(free);
    },
  );
});
