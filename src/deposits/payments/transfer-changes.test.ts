import { describe, expect, it } from "vitest";
import { aDeposit, aTransfer, blockAt, someTime } from "../../../test/support/deposit-records.ts";
import { payment, testCurrencies } from "../../../test/support/deposit-world.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { operationType, riskStatus, type TransferRecord } from "../transfers/transfer.ts";
import {
  cancelTransfer,
  includeTransfer,
  newTransfer,
  orphanTransfer,
  reviveTransfer,
} from "./transfer-changes.ts";

const settings = { revalueAfterSeconds: 7_200 };

describe("includeTransfer", () => {
  it("clears the value of a payment that waited too long for a block", () => {
    const deposit = aDeposit();
    const hit = payment({ deposit, amount: "1" });
    const waiting = aTransfer(deposit, { amount: "1" }, null, {
      targetUnits: 5n,
      commissionUnits: 1n,
    });
    const late = { ...blockAt(10), time: addSeconds(someTime, 7_201) };
    expect(includeTransfer(waiting, hit, late, settings)).toMatchObject({
      rate: null,
      targetUnits: 0n,
      commissionUnits: 0n,
      targetCommissionUnits: 0n,
      revaluedAt: late.time,
    });
    const early = { ...blockAt(10), time: addSeconds(someTime, 7_200) };
    expect(includeTransfer(waiting, hit, early, settings)).toMatchObject({
      rate: waiting.rate,
      targetUnits: 5n,
      revaluedAt: null,
    });
  });

  const deposit = aDeposit();
  const hit = payment({ deposit, amount: "1" });
  const late = { ...blockAt(10), time: addSeconds(someTime, 9_000) };
  const include = (overrides: Partial<TransferRecord>, block = late) =>
    includeTransfer(aTransfer(deposit, { amount: "1" }, null, overrides), hit, block, settings);

  it("keeps the value of a payment that was reported before, or is in another block", () => {
    expect(include({}).rate).toBeNull();
    for (const overrides of [
      { revision: 1 },
      { isConfirmed: true },
      { block: { height: 9, hash: "another" } },
    ])
      expect(include(overrides)).toMatchObject({ rate: { units: 1n, exp: 0 }, revaluedAt: null });
  });

  it("takes the earlier of the two times, the block, and what it spends, and revives it", () => {
    const [before, after] = [addSeconds(someTime, -5), addSeconds(someTime, 5)];
    expect(include({}, { ...late, time: before }).firstSeenAt).toBe(before);
    expect(include({}, { ...late, time: after }).firstSeenAt).toBe(someTime);
    expect(include({ isCancelled: true, spends: ["other"], spendableFromHeight: 7 })).toMatchObject(
      {
        isCancelled: false,
        block: { height: 10, hash: "hash10" },
        spends: hit.senders.claims,
        spendableFromHeight: hit.transfer.spendableFromHeight,
      },
    );
  });

  it("changes nothing in the same block", () => {
    const known = aTransfer(deposit, { amount: "1" }, 10, { spends: ["other"] });
    expect(includeTransfer(known, hit, blockAt(10), settings)).toBe(known);
  });
});

describe("newTransfer", () => {
  const deposit = aDeposit();
  const [earlier, later] = [addSeconds(someTime, -5), addSeconds(someTime, 5)];
  const seen = (
    hit: Partial<Parameters<typeof payment>[0]> = {},
    block: Parameters<typeof newTransfer>[3] = null,
    isScreened = true,
  ) =>
    newTransfer(payment({ deposit, amount: "1", ...hit }), "1", "ETH", block, someTime, {
      isScreened,
      currencies: testCurrencies,
    });

  it("is first seen at its block's time, or now if that is earlier", () => {
    expect(seen().firstSeenAt).toBe(someTime);
    expect(seen({}, { ...blockAt(3), time: earlier }).firstSeenAt).toBe(earlier);
    expect(seen({}, { ...blockAt(3), time: later }).firstSeenAt).toBe(someTime);
    expect([seen().block, seen({}, blockAt(3)).block]).toEqual([
      null,
      { height: 3, hash: "hash3" },
    ]);
  });

  it("is screened where payments are, unless its token is unlisted", () => {
    expect(seen().riskStatus).toBe(riskStatus.queued);
    expect(seen({}, null, false).riskStatus).toBe(riskStatus.notAvailable);
    const unlisted = seen({ unlisted: "0xcafe" });
    expect(unlisted).toMatchObject({
      riskStatus: riskStatus.notAvailable,
      currency: null,
      assetLocator: "0xcafe",
      opType: operationType.deposit,
    });
    expect(seen()).toMatchObject({ currency: deposit.currency, assetLocator: null });
  });

  it("is worth what is not withheld, and dust if that is too little", () => {
    const ether = 10n ** 18n;
    expect(seen()).toMatchObject({ units: ether, withheldUnits: null });
    expect(seen({ withheld: "0" })).toMatchObject({ units: ether, withheldUnits: 0n });
    expect(seen({ withheld: "0.25" })).toMatchObject({
      units: (ether * 3n) / 4n,
      withheldUnits: ether / 4n,
      opType: operationType.deposit,
    });
    for (const withheld of ["1", "0.999999999"])
      expect(seen({ withheld }).opType).toBe(operationType.dust);
    expect(() => seen({ withheld: "1.1" })).toThrow("no more is withheld");
  });
});

describe("a payment whose block or transaction is gone", () => {
  const deposit = aDeposit();
  const mined = (overrides: Partial<TransferRecord> = {}) =>
    aTransfer(deposit, { amount: "1" }, 10, { revision: 4, confirmedAt: someTime, ...overrides });
  const reported = [
    { isConfirmed: false, isSettled: false, revision: 4 },
    { isConfirmed: true, isSettled: false, revision: 5 },
    { isConfirmed: false, isSettled: true, revision: 5 },
    { isConfirmed: true, isSettled: true, revision: 5 },
  ];

  it.each(reported)("counts a reversal of what was reported: %o", ({ revision, ...overrides }) => {
    const gone = { isConfirmed: false, confirmedAt: null, isSettled: false, revision };
    expect(orphanTransfer(mined(overrides), deposit)).toMatchObject({ ...gone, block: null });
    expect(cancelTransfer(mined(overrides))).toMatchObject({ ...gone, isCancelled: true });
  });

  it("stays confirmed after a reorg only where no confirmation is needed", () => {
    const eager = aDeposit({ confirmationsNeeded: 0 });
    const after = (isConfirmed: boolean, of = eager) => {
      const { isConfirmed: stays, confirmedAt } = orphanTransfer(mined({ isConfirmed }), of);
      return [stays, confirmedAt];
    };
    expect(after(true)).toEqual([true, someTime]);
    expect(after(false)).toEqual([false, null]);
    expect(after(true, aDeposit({ confirmationsNeeded: 1 }))).toEqual([false, null]);
  });

  it("is pending again once it is revived, unless a block includes it", () => {
    const pending = aTransfer(deposit, { amount: "1" }, null);
    const canceled = { ...pending, isCancelled: true };
    expect(reviveTransfer(canceled)).toEqual(pending);
    expect(reviveTransfer(pending)).toBe(pending);
    const inBlock = mined({ isCancelled: true });
    expect(reviveTransfer(inBlock)).toBe(inBlock);
  });
});
