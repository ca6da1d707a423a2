import { describe, expect, it } from "vitest";
import { aDeposit, aTransfer, blockAt, someTime } from "../../../test/support/deposit-records.ts";
import { payment } from "../../../test/support/deposit-world.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { includeTransfer } from "./transfer-changes.ts";

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
});
