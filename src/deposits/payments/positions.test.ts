import { describe, expect, it } from "vitest";
import { aDeposit, aTransfer, someTime } from "../../../test/support/deposit-records.ts";
import { usd } from "../../../test/support/deposit-world.ts";
import type { Refund, TransferRecord } from "../transfers/transfer.ts";
import { positionsOf } from "./positions.ts";

const own = aDeposit();
/** Paid in ether, credited in dollars. */
const converted = aDeposit({ walletCurrency: usd });

/** A mined payment of 1,000 units worth 5,000, with a commission of 10 units worth 50. */
function booked(
  overrides: Partial<TransferRecord>,
  deposit = own,
): Readonly<Record<string, bigint>> {
  const transfer = aTransfer(deposit, { amount: "1" }, 10, {
    walletId: "9",
    units: 1_000n,
    targetUnits: 5_000n,
    commissionUnits: 10n,
    targetCommissionUnits: 50n,
    ...overrides,
  });
  const names = positionsOf(transfer, deposit).map(
    ({ account, currency, units }) => [`${account} ${currency}`, units] as const,
  );
  expect(new Set(names.map(([name]) => name)).size).toBe(names.length);
  return Object.fromEntries(names);
}

const refund = (units: bigint, targetUnits: bigint): Refund => ({
  at: someTime,
  payoutId: "3",
  units,
  targetUnits,
});

describe("the postings of a payment", () => {
  it("owe it to where it stands", () => {
    expect(booked({ disposition: "pending" })).toEqual({
      "chain/1002 1002": 1_000n,
      "wallet/9/pending 1002": -1_000n,
    });
    expect(booked({ disposition: "pending", rate: null })).toEqual({
      "chain/1002 1002": 1_000n,
      "unresolved/1002 1002": -1_000n,
    });
    for (const disposition of ["unresolved", "blocked", "dust", "misplaced"] as const)
      expect(booked({ disposition })).toEqual({
        "chain/1002 1002": 1_000n,
        [`${disposition}/1002 1002`]: -1_000n,
      });
  });

  it("owe what is withheld to nobody, whatever becomes of the rest", () => {
    const withheldUnits = 300n;
    for (const disposition of ["unresolved", "blocked", "misplaced"] as const)
      expect(booked({ disposition, withheldUnits })).toEqual({
        "chain/1002 1002": 1_300n,
        "dust/1002 1002": -300n,
        [`${disposition}/1002 1002`]: -1_000n,
      });
    for (const units of [1_000n, 0n])
      expect(booked({ disposition: "dust", withheldUnits, units })).toEqual({
        "chain/1002 1002": units + 300n,
        "dust/1002 1002": -units - 300n,
      });
    expect(booked({ disposition: "pending", withheldUnits, block: null })).toEqual({
      "mempool/1002 1002": 1_300n,
      "dust/1002 1002": -300n,
      "wallet/9/pending 1002": -1_000n,
    });
    expect(booked({ disposition: "credited", withheldUnits }, converted)).toEqual({
      "chain/1002 1002": 1_300n,
      "commission/1002 1002": -10n,
      "conversion/1002 1002": -990n,
      "conversion/840 840": 4_950n,
      "dust/1002 1002": -300n,
      "wallet/9/available 840": -4_950n,
    });
    expect(booked({ disposition: "none", withheldUnits })).toEqual({});
  });

  it("are on the chain, in the mempool, or between our own accounts", () => {
    const place = (overrides: Partial<TransferRecord>) =>
      Object.keys(booked({ disposition: "dust", ...overrides }))[0];
    expect(place({})).toBe("chain/1002 1002");
    expect(place({ block: null })).toBe("mempool/1002 1002");
    expect(place({ txid: null, block: null })).toBe("transit/1002 1002");
  });

  it("are none of one that did not happen, has no amount, or is in an unlisted token", () => {
    expect(positionsOf(null, own)).toEqual([]);
    expect(booked({ disposition: "none" })).toEqual({});
    expect(booked({ disposition: "pending", units: 0n }, converted)).toEqual({});
    expect(booked({ disposition: "misplaced", currency: null })).toEqual({});
  });

  it("credit the wallet with all but the commission", () => {
    expect(booked({ disposition: "credited" })).toEqual({
      "chain/1002 1002": 1_000n,
      "commission/1002 1002": -10n,
      "wallet/9/available 1002": -990n,
    });
    expect(booked({ disposition: "credited", commissionUnits: 0n })).toEqual({
      "chain/1002 1002": 1_000n,
      "wallet/9/available 1002": -1_000n,
    });
    expect(() => booked({ disposition: "credited", rate: null })).toThrow("has no price");
  });

  it("pass through the operator's conversion accounts into another currency", () => {
    expect(booked({ disposition: "pending" }, converted)).toEqual({
      "chain/1002 1002": 1_000n,
      "conversion/1002 1002": -1_000n,
      "conversion/840 840": 5_000n,
      "wallet/9/pending 840": -5_000n,
    });
    expect(booked({ disposition: "credited" }, converted)).toEqual({
      "chain/1002 1002": 1_000n,
      "commission/1002 1002": -10n,
      "conversion/1002 1002": -990n,
      "conversion/840 840": 4_950n,
      "wallet/9/available 840": -4_950n,
    });
  });

  it("credit a refund without commission, at what its payout charges", () => {
    const inFull = { disposition: "refunded", refund: refund(1_000n, 4_800n) } as const;
    expect(booked(inFull)).toEqual({
      "chain/1002 1002": 1_000n,
      "wallet/9/available 1002": -1_000n,
    });
    expect(booked(inFull, converted)).toEqual({
      "chain/1002 1002": 1_000n,
      "conversion/1002 1002": -1_000n,
      "conversion/840 840": 4_800n,
      "wallet/9/available 840": -4_800n,
    });
    expect(() => booked({ disposition: "refunded", refund: null })).toThrow("was refunded");
  });

  it("add the refunded part to the kept one in the same accounts", () => {
    const inPart = { disposition: "credited", refund: refund(400n, 1_900n) } as const;
    expect(booked(inPart)).toEqual({
      "chain/1002 1002": 1_000n,
      "commission/1002 1002": -10n,
      "wallet/9/available 1002": -990n,
    });
    // 600 of 1,000 units were kept: 3,000 less 50; the refund adds 1,900.
    expect(booked(inPart, converted)).toEqual({
      "chain/1002 1002": 1_000n,
      "commission/1002 1002": -10n,
      "conversion/1002 1002": -990n,
      "conversion/840 840": 4_850n,
      "wallet/9/available 840": -4_850n,
    });
  });
});
