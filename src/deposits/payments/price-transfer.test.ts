import { describe, expect, it } from "vitest";
import { aDeposit, aTransfer, someTime } from "../../../test/support/deposit-records.ts";
import {
  bnb,
  eth,
  rateOf,
  testCurrencies,
  units,
  usd,
} from "../../../test/support/deposit-world.ts";
import type { CurrentRate } from "../../currencies/rates/current-rate.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { rateOfOne } from "../../platform/kernel/rate.ts";
import { operationType, type TransferRecord } from "../transfers/transfer.ts";
import { commissionAt, findPrices, priceTransfers } from "./price-transfer.ts";
import { nothingPriced, type PricedSums } from "./tally.ts";

/** Paid in ether, credited in dollars. */
const deposit = aDeposit({ walletCurrency: usd });
const priceOf = (bid: string): CurrentRate => ({
  bid: rateOf(bid),
  ask: rateOf("999999"),
  expiresAt: someTime,
});
const prices = (bid = "2000") => new Map([["1002 840", priceOf(bid)]]);
const context = { currencies: testCurrencies };
const ether = (amount: string, overrides: Partial<TransferRecord> = {}) =>
  aTransfer(deposit, { amount }, 10, { rate: null, targetUnits: 0n, ...overrides });

const valuesOf = (
  transfers: readonly TransferRecord[],
  bid = "2000",
  of = deposit,
  others: PricedSums = nothingPriced,
) =>
  priceTransfers({ deposit: of, transfers }, prices(bid), context, others).map(
    ({ targetUnits }) => targetUnits,
  );

describe("the price of a payment", () => {
  it("is the current bid, and its value is rounded down", () => {
    const [priced] = priceTransfers(
      { deposit, transfers: [ether("0.0009999")] },
      prices(),
      context,
      nothingPriced,
    );
    expect(priced).toMatchObject({ rate: rateOf("2000"), targetUnits: 199n });
  });

  it("is one in the wallet's currency, and for what is no payment", () => {
    const own = aDeposit();
    const [same] = priceTransfers(
      { deposit: own, transfers: [ether("1")] },
      new Map(),
      context,
      nothingPriced,
    );
    expect(same).toMatchObject({ rate: rateOfOne, targetUnits: units("1", eth) });
    for (const overrides of [
      { currency: null },
      { currency: bnb },
      { opType: operationType.dust },
    ]) {
      const [other] = priceTransfers(
        { deposit, transfers: [ether("1", overrides)] },
        prices(),
        context,
        nothingPriced,
      );
      expect(other).toMatchObject({ rate: rateOfOne, targetUnits: 0n });
    }
  });

  it("is the lock in force when the payment was seen or revalued, except of an internal one", () => {
    const locked = {
      ...deposit,
      targetAmountRequested: 10n ** 9n,
      rate: rateOf("1000"),
      rateExpiresAt: addSeconds(someTime, 60),
    };
    const later = addSeconds(someTime, 61);
    const valueOf = (overrides: Partial<TransferRecord>) =>
      valuesOf([ether("1", overrides)], "2000", locked)[0];
    expect(valueOf({})).toBe(1_000_00n);
    expect(valueOf({ firstSeenAt: later })).toBe(2_000_00n);
    expect(valueOf({ revaluedAt: later })).toBe(2_000_00n);
    expect(valueOf({ firstSeenAt: later, revaluedAt: someTime })).toBe(1_000_00n);
    expect(valueOf({ txid: null })).toBe(2_000_00n);
  });

  it("is kept once it is known, and stays missing while there is none", () => {
    const known = ether("1", { rate: rateOf("7"), targetUnits: 700n });
    const unknown = ether("1");
    const find = (table: Parameters<typeof priceTransfers>[1]) =>
      priceTransfers({ deposit, transfers: [known, unknown] }, table, context, nothingPriced);
    expect(find(prices())[0]).toBe(known);
    expect(find(new Map())).toEqual([known, unknown]);
    expect(find(new Map([["1002 840", null]]))[1]).toBe(unknown);
  });
});

describe("the rounding loss of several payments", () => {
  // At 1 a unit of the wallet's is 0.01 ether.
  const half = () => ether("0.005");

  it("is added once it makes a whole unit at the same price", () => {
    expect(valuesOf([half()], "1")).toEqual([0n]);
    expect(valuesOf([half(), half()], "1")).toEqual([0n, 1n]);
    expect(valuesOf([half(), half(), half(), ether("0.015")], "1")).toEqual([0n, 1n, 0n, 2n]);
    const other = (rate: string): PricedSums => ({
      targetUnits: 0n,
      atRate: [{ rate: rateOf(rate), units: units("0.005", eth), targetUnits: 0n }],
    });
    expect(valuesOf([half()], "1", deposit, other("1"))).toEqual([1n]);
    for (const rate of ["1.0", "0.1", "2"])
      expect(valuesOf([half()], "1", deposit, other(rate))).toEqual([0n]);
  });

  it("counts payments that were priced before", () => {
    const known = ether("0.005", { rate: rateOf("1") });
    expect(valuesOf([known, half()], "1")).toEqual([0n, 1n]);
    expect(valuesOf([half(), known], "1")).toEqual([1n, 0n]);
  });

  it("never exceeds what completes the requested amount", () => {
    const requesting = (targetAmountRequested: bigint) => ({ ...deposit, targetAmountRequested });
    const inParts = [ether("0.019"), ether("0.019"), ether("0.019")];
    expect(valuesOf(inParts, "1")).toEqual([1n, 2n, 2n]);
    expect(valuesOf(inParts, "1", requesting(4n))).toEqual([1n, 2n, 1n]);
    expect(valuesOf(inParts, "1", requesting(2n))).toEqual([1n, 1n, 1n]);
    expect(valuesOf(inParts, "1", requesting(5n))).toEqual([1n, 2n, 2n]);
    const others = { targetUnits: 3n, atRate: [] };
    expect(valuesOf([half(), half()], "1", requesting(4n), others)).toEqual([0n, 1n]);
    expect(valuesOf([half(), half()], "1", requesting(3n), others)).toEqual([0n, 0n]);
  });
});

describe("the commission", () => {
  it("is worth what it takes from the payment's value", () => {
    const terms = {
      walletCurrency: usd,
      commissionTerms: { ratePpm: 10_000, fixedUnits: 0n, minimumUnits: 0n },
    };
    const paid = { units: units("0.0155", eth), currency: eth };
    expect(commissionAt(rateOf("100"), paid, terms, testCurrencies)).toEqual({
      commissionUnits: units("0.000155", eth),
      // 1.55 dollars less 1.53.
      targetCommissionUnits: 2n,
    });
    const priced = priceTransfers(
      { deposit: { ...deposit, ...terms }, transfers: [ether("0.0155")] },
      prices("100"),
      context,
      nothingPriced,
    );
    expect(priced[0]).toMatchObject({
      targetUnits: 155n,
      commissionUnits: units("0.000155", eth),
      targetCommissionUnits: 2n,
    });
  });
});

describe("findPrices", () => {
  it("asks once for each pair that an unpriced payment needs", async () => {
    const asked: string[] = [];
    const findRate = (left: string, right: string) => {
      asked.push(`${left} ${right}`);
      return Promise.resolve(priceOf("2000"));
    };
    const found = await findPrices(
      [
        { deposit, transfers: [ether("1"), ether("2", { rate: rateOf("1") })] },
        { deposit, transfers: [ether("3", { rate: rateOf("1") }), ether("4")] },
        { deposit: { ...deposit, currency: bnb }, transfers: [ether("1", { rate: rateOf("1") })] },
        { deposit: aDeposit(), transfers: [ether("1")] },
        { deposit: { ...deposit, currency: null }, transfers: [ether("1")] },
      ],
      { findRate },
    );
    expect(asked).toEqual(["1002 840"]);
    expect([...found]).toEqual([
      ["1002 840", priceOf("2000")],
      [" 840", null],
    ]);
  });
});
