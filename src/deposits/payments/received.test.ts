import { describe, expect, it } from "vitest";
import { aDeposit, aTransfer, someTime } from "../../../test/support/deposit-records.ts";
import { noSums } from "../deposit.ts";
import { riskStatus, type TransferRecord } from "../transfers/transfer.ts";
import { receivedOf } from "./received.ts";

const deposit = aDeposit({
  sums: {
    ...noSums,
    targetPaid: 10_000n,
    targetPaidPending: 2_000n,
    sourcePaid: 100n,
    sourcePaidPending: 20n,
  },
});

/** A payment of 10 units worth 1,000, of which so many were refunded. */
function refunded(units: bigint, overrides: Partial<TransferRecord> = {}): TransferRecord {
  return aTransfer(deposit, { amount: "1" }, 10, {
    units: 10n,
    targetUnits: 1_000n,
    isConfirmed: true,
    disposition: "refunded",
    refund: { at: someTime, payoutId: "3", units, targetUnits: units * 90n },
    ...overrides,
  });
}

const sums = {
  target: 10_000n,
  targetPending: 2_000n,
  source: 100n,
  sourcePending: 20n,
  sourceRefunded: 0n,
};

describe("what a deposit has received", () => {
  it("is its sums without payments that were refunded in full", () => {
    expect(receivedOf(deposit, [])).toEqual(sums);
    expect(receivedOf(deposit, [refunded(10n)])).toEqual({ ...sums, target: 9_000n, source: 90n });
    expect(receivedOf(deposit, [refunded(10n, { isConfirmed: false })])).toEqual({
      ...sums,
      targetPending: 1_000n,
      sourcePending: 10n,
    });
    expect(receivedOf(deposit, [refunded(10n), refunded(10n)])).toEqual({
      ...sums,
      target: 8_000n,
      source: 80n,
    });
  });

  it("includes payments that were not refunded, or only in part", () => {
    expect(receivedOf(deposit, [refunded(10n, { refund: null })])).toEqual(sums);
    expect(receivedOf(deposit, [refunded(4n), refunded(3n)])).toEqual({
      ...sums,
      sourceRefunded: 7n,
    });
  });

  it("never had what was canceled, blocked, below the minimum, or in another currency", () => {
    const outside: readonly Partial<TransferRecord>[] = [
      { isCancelled: true },
      { riskStatus: riskStatus.red },
      { disposition: "dust" },
      { disposition: "misplaced" },
    ];
    for (const overrides of outside)
      expect(receivedOf(deposit, [refunded(10n, overrides)])).toEqual(sums);
    for (const overrides of outside.slice(0, 2))
      expect(receivedOf(deposit, [refunded(4n, overrides)])).toEqual(sums);
  });
});
