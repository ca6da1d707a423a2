import { describe, expect, it } from "vitest";
import { spendOf } from "../../../test/support/spend-records.ts";
import { postingsBetween } from "../../ledger/posting.ts";
import { type CurrencyId, money } from "../../platform/kernel/money.ts";
import type { Inclusion, Spend } from "./spend.ts";
import { positionsOfSpend } from "./spend-positions.ts";

/* What a mined spend adds to the operator's accounts: debits are positive. The fee is paid in the coin 1002, tokens are 2015. */

const coin = "1002" as CurrencyId;
const token = "2015" as CurrencyId;
const mined: Inclusion = {
  attempt: 1,
  height: 5,
  hash: "h5",
  burntUnits: 4n,
  hasSucceeded: true,
  delivery: null,
  lost: [],
};
const fee = { "chain/1002": -4n, "fees/1002": 4n };

function booked(inclusion: Partial<Inclusion> | null, spend: Partial<Spend> = {}) {
  const positions = positionsOfSpend(
    spendOf(["mined"], {
      kind: "payout",
      feeCurrency: coin,
      ...spend,
      inclusion: inclusion === null ? null : { ...mined, ...inclusion },
    }),
  );
  // Throws unless they balance in each currency.
  postingsBetween([], positions);
  for (const { account, currency } of positions)
    expect(account.endsWith(`/${currency}`)).toBe(true);
  return Object.fromEntries(positions.map(({ account, units }) => [account, units]));
}

const delivered = (receivedUnits: bigint, sentUnits: bigint) => ({
  currency: token,
  requestedUnits: 100n,
  receivedUnits,
  sentUnits,
});

describe("the positions of a spend", () => {
  it("are none until it is in a block", () => {
    expect(booked(null)).toEqual({});
  });

  it("book the fee that its block burned, and nothing if it burned none", () => {
    expect(booked({})).toEqual(fee);
    expect(booked({ burntUnits: 0n })).toEqual({});
    expect(booked({ hasSucceeded: false })).toEqual(fee);
  });

  it("book what reached the cold address as the operator's own funds", () => {
    const cold = { kind: "cold", leaves: money(50n, token) } as const;
    expect(booked({}, cold)).toEqual({ ...fee, "chain/2015": -50n, "equity/2015": 50n });
    expect(booked({ hasSucceeded: false }, cold)).toEqual(fee);
  });

  it.each<[string, Spend["kind"], bigint, bigint, boolean, bigint]>([
    // what happens, kind, received, sent, success, gone without an order
    ["a token that keeps a part back for itself", "payout", 90n, 90n, true, -10n],
    ["a token that takes more than was asked", "payout", 100n, 103n, true, 3n],
    ["a token that takes without paying anyone", "payout", 0n, 100n, false, 100n],
    ["a cold transfer of such a token", "cold", 90n, 90n, true, -10n],
    ["a sweep that pays its receiver all it takes", "sweep", 90n, 90n, true, 0n],
    ["a sweep from which a token takes a part", "sweep", 90n, 100n, true, 10n],
  ])("keep the difference for a decision: %s", (_, kind, received, sent, hasSucceeded, gone) => {
    const difference = gone === 0n ? {} : { "chain/2015": -gone, "unresolved/2015": gone };
    expect(booked({ hasSucceeded, delivery: delivered(received, sent) }, { kind })).toEqual({
      ...fee,
      ...difference,
    });
  });

  it("compare each of several payments with its own order, if the chain made it", () => {
    const deliveries = [
      { ...delivered(90n, 90n), place: 0 },
      { ...delivered(0n, 7n), place: 2 },
    ];
    const payments = ["made", "made", "refused"] as const;
    const positions = positionsOfSpend(
      spendOf(["mined"], {
        kind: "payout",
        feeCurrency: coin,
        inclusion: { ...mined, payments, deliveries },
      }),
    );
    expect(positions.slice(2).map(({ account, units }) => [account, units])).toEqual([
      ["chain/2015", 10n],
      ["unresolved/2015", -10n],
      ["chain/2015", -7n],
      ["unresolved/2015", 7n],
    ]);
  });

  it("keep what a sweep lost for a decision", () => {
    expect(booked({ lost: [money(8n, token)] }, { kind: "sweep" })).toEqual({
      ...fee,
      "chain/2015": -8n,
      "unresolved/2015": 8n,
    });
  });
});
