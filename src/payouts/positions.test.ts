import { describe, expect, it } from "vitest";
import { newPayout } from "../../test/support/payout-records.ts";
import { postingsBetween } from "../ledger/posting.ts";
import { InvariantViolation } from "../platform/kernel/assert.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import type { Payout, PayoutStage } from "./payout.ts";
import { chargedFeeOf, committedBetween, positionsOf } from "./positions.ts";

/*
 * The ledger positions of a payout at each stage, as text: one line per position, debits positive. Wallet 7 pays;
 * wallet 8 is the account's wallet of the fee coin. Each case balances per currency, since `postingsBetween` rejects
 * others.
 */

const usd = "840" as CurrencyId;
const usdt = "2015" as CurrencyId;
const block = { height: 9, hash: "b9" };

const spoken = (payout: Payout): readonly string[] => {
  expect(() => postingsBetween([], positionsOf(payout))).not.toThrow();
  return positionsOf(payout)
    .map(({ account, currency, units }) => `${account} ${currency} ${units}`)
    .toSorted();
};

const at = (stage: PayoutStage, payout: Partial<Payout> = {}): Payout =>
  newPayout({
    walletId: "7",
    feeWalletId: "7",
    stage,
    units: 1_000n,
    paidUnits: 1_000n,
    feeUnits: 30n,
    commissionUnits: 5n,
    chargedUnits: 1_035n,
    ...payout,
    ...(stage === "included" || stage === "confirmed" ? { block } : {}),
  });

/** Ether from a dollar wallet at 1:3, with the fee in ether. */
const fromDollars = { walletType: 1, walletCurrency: usd, chargedUnits: 3_105n } as const;
const token = { currency: usdt, feeCurrency: "1002" as CurrencyId, chargedUnits: 1_005n };
const tokenFeeFromWallet = {
  ...token,
  walletCurrency: usdt,
  feeWalletId: "8",
  chargedFeeUnits: 30n,
};
const tokenFeeFromOperator = { ...token, walletCurrency: usdt, feeWalletId: null };

describe("positionsOf", () => {
  describe("a payout in its wallet's own currency", () => {
    it.each(["waiting", "held", "sending", "blocked"] as const)("is held while %s", (stage) => {
      expect(spoken(at(stage))).toEqual([
        "wallet/7/available 1002 1035",
        "wallet/7/held 1002 -1035",
      ]);
    });

    it.each(["included", "confirmed"] as const)("is debited once %s", (stage) => {
      expect(spoken(at(stage))).toEqual([
        "chain/1002 1002 -1000",
        "commission/1002 1002 -5",
        "fees/1002 1002 -30",
        "wallet/7/available 1002 1035",
      ]);
    });

    it("pays the rest with an included fee", () => {
      const included = { isFeeIncluded: true, paidUnits: 970n, chargedUnits: 1_005n };
      expect(spoken(at("confirmed", included))).toEqual([
        "chain/1002 1002 -970",
        "commission/1002 1002 -5",
        "fees/1002 1002 -30",
        "wallet/7/available 1002 1005",
      ]);
    });

    it.each(["cancelled", "failed"] as const)("is released when %s", (stage) => {
      expect(spoken(at(stage))).toEqual([]);
    });

    it("pays the fee of a reverted transaction", () => {
      expect(spoken(at("failed", { block }))).toEqual([
        "fees/1002 1002 -30",
        "wallet/7/available 1002 30",
      ]);
    });

    it("passes through transit without a fee if internal", () => {
      expect(spoken(at("internal", { feeUnits: 0n, chargedUnits: 1_005n }))).toEqual([
        "commission/1002 1002 -5",
        "transit/1002 1002 -1000",
        "wallet/7/available 1002 1005",
      ]);
    });
  });

  describe("from a wallet in another currency", () => {
    it("holds the charge in the wallet's currency", () => {
      expect(spoken(at("held", fromDollars))).toEqual([
        "wallet/7/available 840 3105",
        "wallet/7/held 840 -3105",
      ]);
    });

    it("converts through the operator", () => {
      expect(spoken(at("included", fromDollars))).toEqual([
        "chain/1002 1002 -1000",
        "commission/1002 1002 -5",
        "conversion/1002 1002 1035",
        "conversion/840 840 -3105",
        "fees/1002 1002 -30",
        "wallet/7/available 840 3105",
      ]);
    });

    it("converts an internal payment too", () => {
      const internal = { ...fromDollars, feeUnits: 0n, chargedUnits: 3_015n };
      expect(spoken(at("internal", internal))).toEqual([
        "commission/1002 1002 -5",
        "conversion/1002 1002 1005",
        "conversion/840 840 -3015",
        "transit/1002 1002 -1000",
        "wallet/7/available 840 3015",
      ]);
    });

    it("charges the fee's share of a revert, rounded up", () => {
      expect(spoken(at("failed", { ...fromDollars, block }))).toEqual([
        "conversion/1002 1002 30",
        "conversion/840 840 -90",
        "fees/1002 1002 -30",
        "wallet/7/available 840 90",
      ]);
      const uneven = at("failed", { ...fromDollars, chargedUnits: 3_104n, block });
      expect(spoken(uneven)).toContain("wallet/7/available 840 90");
    });
  });

  describe("a token", () => {
    it("holds the fee in the wallet that pays it", () => {
      expect(spoken(at("held", tokenFeeFromWallet))).toEqual([
        "wallet/7/available 2015 1005",
        "wallet/7/held 2015 -1005",
        "wallet/8/available 1002 30",
        "wallet/8/held 1002 -30",
      ]);
      expect(spoken(at("included", tokenFeeFromWallet))).toEqual([
        "chain/2015 2015 -1000",
        "commission/2015 2015 -5",
        "fees/1002 1002 -30",
        "wallet/7/available 2015 1005",
        "wallet/8/available 1002 30",
      ]);
      expect(spoken(at("failed", { ...tokenFeeFromWallet, block }))).toEqual([
        "fees/1002 1002 -30",
        "wallet/8/available 1002 30",
      ]);
    });

    it("charges no one a fee that the operator pays", () => {
      expect(spoken(at("included", tokenFeeFromOperator))).toEqual([
        "chain/2015 2015 -1000",
        "commission/2015 2015 -5",
        "wallet/7/available 2015 1005",
      ]);
      expect(spoken(at("failed", { ...tokenFeeFromOperator, block }))).toEqual([]);
    });

    it("from a wallet of the fee's coin pays a revert's whole fee, at no price", () => {
      const payout = { ...token, chargedUnits: 500n, block };
      expect(spoken(at("failed", payout))).toEqual([
        "fees/1002 1002 -30",
        "wallet/7/available 1002 30",
      ]);
    });

    it("from a dollar wallet converts only what that wallet paid", () => {
      const payout = { ...tokenFeeFromWallet, walletCurrency: usd, chargedUnits: 1_010n };
      expect(spoken(at("included", payout))).toEqual([
        "chain/2015 2015 -1000",
        "commission/2015 2015 -5",
        "conversion/2015 2015 1005",
        "conversion/840 840 -1010",
        "fees/1002 1002 -30",
        "wallet/7/available 840 1010",
        "wallet/8/available 1002 30",
      ]);
    });
  });

  it("throws if positions do not add up", () => {
    expect(() => positionsOf(at("included", { chargedUnits: 1_034n }))).toThrow(InvariantViolation);
    expect(() => positionsOf(at("internal"))).toThrow("has a fee");
    expect(() => positionsOf(at("held", { chargedFeeUnits: 1n }))).toThrow("to no wallet");
    const third = { ...fromDollars, feeCurrency: "1000" as CurrencyId };
    expect(() => positionsOf(at("included", third))).toThrow("third currency");
    const foreignFee = { feeCurrency: "1000" as CurrencyId };
    expect(() => positionsOf(at("included", foreignFee))).toThrow("third currency");
    expect(() => positionsOf(at("included", { chargedFeeUnits: 1n }))).toThrow(InvariantViolation);
  });
});

describe("chargedFeeOf", () => {
  it("is the fee, unless the operator pays it", () => {
    expect(chargedFeeOf(at("held"))).toBe(30n);
    expect(chargedFeeOf(at("held", { feeWalletId: null }))).toBe(0n);
  });
});

describe("committedBetween", () => {
  const eth = "1002" as CurrencyId;
  const committed = (...changes: Parameters<typeof committedBetween>[0]) =>
    Object.fromEntries([...committedBetween(changes)].filter(([, units]) => units !== 0n));

  it.each(["waiting", "held", "sending", "blocked"] as const)(
    "counts a payout from a wallet in another currency while it is %s",
    (stage) => {
      expect(committed({ before: null, after: at(stage, fromDollars) })).toEqual({
        [usd]: 3_105n,
        [eth]: -1_035n,
      });
    },
  );

  it.each(["included", "confirmed", "failed", "cancelled", "internal"] as const)(
    "counts it no more once it is %s",
    (stage) => {
      expect(committed({ before: null, after: at(stage, fromDollars) })).toEqual({});
      expect(committed({ before: at("held", fromDollars), after: at(stage, fromDollars) })).toEqual(
        {
          [usd]: -3_105n,
          [eth]: 1_035n,
        },
      );
    },
  );

  it("counts no fee that another wallet or the operator pays", () => {
    const payout = { ...fromDollars, feeWalletId: "8", chargedFeeUnits: 30n };
    expect(committed({ before: null, after: at("held", payout) })[eth]).toBe(-1_005n);
    expect(
      committed({ before: null, after: at("held", { ...payout, feeWalletId: null }) })[eth],
    ).toBe(-1_005n);
  });

  it("adds up several payouts, of which those in their wallets' own currency convert nothing", () => {
    const change = { before: null, after: at("held", fromDollars) };
    expect(committed(change, change, { before: null, after: at("held") })).toEqual({
      [usd]: 6_210n,
      [eth]: -2_070n,
    });
  });
});
