import { describe, expect, it } from "vitest";
import { aDeposit, aTransfer, someTime } from "../../../test/support/deposit-records.ts";
import { bnb, usd } from "../../../test/support/deposit-world.ts";
import { operationType, riskStatus, type TransferRecord } from "../transfers/transfer.ts";
import { changePriced, newestPriced } from "./priced-sums.ts";
import { nothingPriced, type PricedSums } from "./tally.ts";

const deposit = aDeposit({ walletCurrency: usd });
const rate = (units: bigint, exp = 2) => ({ units, exp });

function priced(units: bigint, overrides: Partial<TransferRecord> = {}): TransferRecord {
  return aTransfer(deposit, { amount: "1" }, 10, {
    units,
    targetUnits: units * 3n,
    rate: rate(5n),
    ...overrides,
  });
}

const add = (sums: PricedSums, now: TransferRecord | null, before: TransferRecord | null = null) =>
  changePriced(sums, [{ before, now }], deposit);

describe("the sums of priced payments", () => {
  it("add up per price, and follow a change of a payment", () => {
    const first = add(nothingPriced, priced(10n));
    expect(first).toEqual({
      targetUnits: 30n,
      atRate: [{ rate: rate(5n), units: 10n, targetUnits: 30n }],
    });
    const second = add(first, priced(4n));
    expect(second).toEqual({
      targetUnits: 42n,
      atRate: [{ rate: rate(5n), units: 14n, targetUnits: 42n }],
    });
    const other = add(second, priced(1n, { rate: rate(5n, 3) }));
    expect(other.atRate).toEqual([
      { rate: rate(5n), units: 14n, targetUnits: 42n },
      { rate: rate(5n, 3), units: 1n, targetUnits: 3n },
    ]);
    // The most recently used price comes last.
    const changed = add(other, priced(11n), priced(10n));
    expect(changed).toEqual({
      targetUnits: 48n,
      atRate: [
        { rate: rate(5n, 3), units: 1n, targetUnits: 3n },
        { rate: rate(5n), units: 15n, targetUnits: 45n },
      ],
    });
    expect(add(add(changed, null, priced(11n)), null, priced(4n))).toEqual({
      targetUnits: 3n,
      atRate: [{ rate: rate(5n, 3), units: 1n, targetUnits: 3n }],
    });
  });

  it("leave out payments that do not count or have no price", () => {
    const refund = { at: someTime, payoutId: "3", units: 1n, targetUnits: 1n };
    for (const overrides of [
      { rate: null },
      { isCancelled: true },
      { refund },
      { riskStatus: riskStatus.red },
      { opType: operationType.dust },
      { currency: bnb },
    ]) {
      expect(add(nothingPriced, priced(10n, overrides))).toEqual(nothingPriced);
    }
  });

  it("stay as they are in the wallet's own currency", () => {
    const change = { before: null, now: priced(10n) };
    const same = { ...deposit, walletCurrency: aDeposit().walletCurrency };
    expect(changePriced(nothingPriced, [change], same)).toBe(nothingPriced);
  });

  it("keep the eight most recently used prices, and the value of all", () => {
    const sums = Array.from({ length: 9 }, (_, index) => BigInt(index + 1)).reduce(
      (before, units) => add(before, priced(1n, { rate: rate(units) })),
      nothingPriced,
    );
    const newest = newestPriced(sums);
    expect(newest.targetUnits).toBe(27n);
    expect(newest.atRate.map(({ rate: { units } }) => units)).toEqual([
      2n,
      3n,
      4n,
      5n,
      6n,
      7n,
      8n,
      9n,
    ]);
  });
});
