import { describe, expect, it } from "vitest";
import { aDeposit, aTransfer, someTime } from "../../../test/support/deposit-records.ts";
import { riskStatus, type TransferRecord } from "../transfers/transfer.ts";
import { advance, conclude } from "./decide-transfer.ts";

/* What is decided about a payment that is refunded, screened, or off-chain, and in which words. */

const deposit = aDeposit();
const units = aTransfer(deposit, { amount: "1" }, 10).units;
const settled = { isConfirmed: true, isSettled: true, confirmedAt: someTime } as const;
const red = { riskStatus: riskStatus.red, risk: 90 } as const;
const refundOf = (refunded: bigint) => ({
  refund: { at: someTime, payoutId: "3", units: refunded, targetUnits: refunded },
});
const make = (...overrides: readonly Partial<TransferRecord>[]) =>
  aTransfer(deposit, { amount: "1" }, 10, Object.assign({}, ...overrides) as object);

describe("the words for a payment", () => {
  const words = (transfer: TransferRecord, kind: "payment" | "dust" = "payment") => {
    const { message, userMessage } = conclude(transfer, kind, null, true);
    return [message, userMessage];
  };

  it("name the payout that refunded it, in full or in part, also of one that screening held", () => {
    const inFull = ["Refunded by payout 3", "This payment was refunded"];
    expect(words(make(refundOf(units)))).toEqual(inFull);
    expect(words(make(refundOf(units), red))).toEqual(inFull);
    expect(words(make(refundOf(units - 1n)))).toEqual([
      "Partially refunded by payout 3",
      "Part of this payment was refunded",
    ]);
  });

  it("tell that screening holds it, with its risk to the merchant alone", () => {
    expect(words(make(red))).toEqual([
      "Held by screening (risk 90 of 100)",
      "This payment is under review",
    ]);
    expect(words(make(red, { risk: null }))[0]).toBe("Held by screening (risk 0 of 100)");
    expect(words(make(red, { releasedAt: someTime }))).toEqual([null, null]);
    expect(words(make(red), "dust")).toEqual([null, null]);
  });

  it("tell the merchant that a second node has to confirm it", () => {
    expect(words(make({ awaitsOpinionSince: someTime }))).toEqual([
      "Waiting for a second node to confirm this payment",
      null,
    ]);
    expect(words(make())).toEqual([null, null]);
  });

  it("are none once it is canceled", () => {
    for (const more of [refundOf(units), red, { awaitsOpinionSince: someTime }])
      expect(words(make(more, { isCancelled: true }))).toEqual([null, null]);
  });
});

describe("where a payment stands", () => {
  const standing = (transfer: TransferRecord, hold: "late" | null = null, isCreditable = true) => {
    const { disposition, reason, status } = conclude(transfer, "payment", hold, isCreditable);
    return [disposition, reason, status];
  };

  it("is refunded once it is settled and all of it was refunded", () => {
    expect(standing(make(refundOf(units), settled))).toEqual(["refunded", null, 2]);
    expect(standing(make(refundOf(units), settled), "late")[0]).toBe("refunded");
    expect(standing(make(refundOf(units), { isConfirmed: true }))[0]).toBe("pending");
    expect(standing(make(refundOf(units - 1n), settled))[0]).toBe("credited");
    expect(standing(make(settled))[0]).toBe("credited");
    expect(standing(make({ isConfirmed: true }))[0]).toBe("pending");
    expect(standing(make(settled), null, false)[0]).toBe("pending");
  });

  it("is blocked by screening, not merely on hold, until it is released or refunded", () => {
    expect(standing(make(red, settled), "late")).toEqual(["blocked", "screening", -2]);
    expect(standing(make(red, settled, { releasedAt: someTime }))).toEqual(["credited", null, 2]);
    expect(standing(make(red, settled, refundOf(units)))).toEqual(["refunded", "screening", -2]);
    expect(standing(make(red, settled, { isCancelled: true }))).toEqual(["none", null, -3]);
  });
});

describe("the progress of a payment", () => {
  const advanced = (transfer: TransferRecord, tip: number | null, needsOpinion = false) => {
    const { isConfirmed, isSettled, dueHeight, awaitsOpinionSince } = advance(
      transfer,
      deposit,
      3,
      tip,
      someTime,
      needsOpinion,
    );
    return [isConfirmed, isSettled, dueHeight, awaitsOpinionSince];
  };

  it("is at its end at once off-chain, without another node", () => {
    expect(advanced(make({ txid: null, block: null }), null, true)).toEqual([
      true,
      true,
      null,
      null,
    ]);
    expect(advanced(make({ txid: null, block: null, rate: null }), null)).toEqual([
      false,
      false,
      null,
      null,
    ]);
  });

  it("continues for a blocked payment that is returned, and only for that", () => {
    expect(advanced(make(red), 12)).toEqual([false, false, null, null]);
    expect(advanced(make(red, refundOf(units)), 12)).toEqual([true, true, null, null]);
    expect(advanced(make(red, refundOf(units)), 11)).toEqual([false, false, 12, null]);
  });

  it("waits for another node only in a block, and not once it is canceled", () => {
    expect(advanced(make(), 12, true)).toEqual([false, false, 12, someTime]);
    expect(advanced(make({ block: null }), 12, true)).toEqual([false, false, null, null]);
    expect(advanced(make({ isCancelled: true }), 12, true)).toEqual([false, false, null, null]);
  });

  it("waits for another node at a smaller count of the client's only to be settled", () => {
    const at = (confirmationsNeeded: number, tip: number) =>
      advance(make(), aDeposit({ confirmationsNeeded }), 3, tip, someTime, true).isConfirmed;
    expect([at(2, 11), at(3, 12), at(5, 14)]).toEqual([true, false, false]);
  });
});
