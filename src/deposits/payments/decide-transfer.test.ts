import { describe, expect, it } from "vitest";
import { aDeposit, aTransfer, someTime } from "../../../test/support/deposit-records.ts";
import { bnb } from "../../../test/support/deposit-world.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { riskStatus } from "../transfers/transfer.ts";
import { advance, conclude, kindOf, withoutNeedlessScreening } from "./decide-transfer.ts";

/*
 * `needed own @block tip (from spendable) | reached, next height at which something changes`. `-` is null: no count of the
 * client's, or in no block. C is Confirmed, S is settled at the currency's own count.
 */
const counts = `
  - 3 @-  10         | , due -
  - 3 @10 -          | , due 12
  - 3 @10 10         | , due 12
  - 3 @10 11         | , due 12
  - 3 @10 12         | CS, due -
  - 3 @10 99         | CS, due -
  - 1 @10 10         | CS, due -
  0 3 @-  10         | C, due -
  0 3 @-  -          | C, due -
  0 3 @10 10         | C, due 12
  0 3 @10 12         | CS, due -
  1 3 @-  10         | , due -
  1 3 @10 10         | C, due 12
  1 3 @10 12         | CS, due -
  2 3 @10 10         | , due 11
  2 3 @10 11         | C, due 12
  3 3 @10 11         | , due 12
  3 3 @10 12         | CS, due -
  5 3 @10 11         | , due 12
  5 3 @10 12         | S, due 14
  5 3 @10 13         | S, due 14
  5 3 @10 14         | CS, due -
  - 3 @10 11 from 50 | , due 12
  - 3 @10 12 from 50 | C, due 50
  - 3 @10 49 from 50 | C, due 50
  - 3 @10 50 from 50 | CS, due -
  - 3 @10 12 from 11 | CS, due -
  1 3 @10 10 from 50 | C, due 50`;

function readCounts(line: string) {
  const [given = "", outcome = ""] = line.split("|").map((part) => part.trim());
  const [needed, own, block, tip, , spendable] = given.split(/\s+/);
  const number = (text: string | undefined): number | null =>
    text === undefined || text === "-" ? null : Number(text);
  return {
    needed: number(needed),
    own: Number(own),
    height: number(block?.slice(1)),
    tip: number(tip),
    spendable: number(spendable),
    outcome,
  };
}

describe("decideTransfer", () => {
  it.each(counts.trim().split("\n"))("advances a transfer at its counts: %s", (line) => {
    const { needed, own, height, tip, spendable, outcome } = readCounts(line);
    const deposit = aDeposit({ confirmationsNeeded: needed });
    const transfer = aTransfer(deposit, { amount: "1" }, height, {
      spendableFromHeight: spendable,
    });
    const { isConfirmed, confirmedAt, isSettled, dueHeight } = advance(
      transfer,
      deposit,
      own,
      tip,
      someTime,
      false,
    );
    expect(`${isConfirmed ? "C" : ""}${isSettled ? "S" : ""}, due ${dueHeight ?? "-"}`).toBe(
      outcome,
    );
    expect(confirmedAt).toBe(isConfirmed ? someTime : null);
  });

  it.each([
    ["waits for screening", { riskStatus: riskStatus.queued }],
    ["has no price", { rate: null }],
    ["is blocked", { riskStatus: riskStatus.red }],
    ["is canceled", { isCancelled: true }],
  ])("neither confirms nor settles a payment that %s at any depth", (_name, overrides) => {
    for (const confirmationsNeeded of [null, 0, 1, 3, 5]) {
      const deposit = aDeposit({ confirmationsNeeded });
      const transfer = aTransfer(deposit, { amount: "1" }, 10, overrides);
      expect(advance(transfer, deposit, 3, 99, someTime, false)).toMatchObject({
        isConfirmed: false,
        isSettled: false,
      });
    }
  });

  it("expects no further step for blocked or canceled transfers and treats a released one as green", () => {
    const deposit = aDeposit();
    const at = (overrides: object) =>
      advance(aTransfer(deposit, { amount: "1" }, 10, overrides), deposit, 3, 11, someTime, false)
        .dueHeight;
    expect(at({ riskStatus: riskStatus.red })).toBeNull();
    expect(at({ isCancelled: true })).toBeNull();
    expect(at({ riskStatus: riskStatus.red, releasedAt: someTime })).toBe(12);
    expect(at({ riskStatus: riskStatus.queued })).toBe(12);
  });

  it("is never confirmed before it was seen, whenever the deciding process began to wait for the lock", () => {
    const deposit = aDeposit();
    const seenAt = (firstSeenAt: Instant) =>
      advance(
        aTransfer(deposit, { amount: "1" }, 10, { firstSeenAt }),
        deposit,
        3,
        12,
        someTime,
        false,
      ).confirmedAt;
    const later = addSeconds(someTime, 2);
    expect(seenAt(later)).toBe(later);
    expect(seenAt(addSeconds(someTime, -2))).toBe(someTime);
  });

  it("stays confirmed while the block is on the best chain, also when the tip falls below the count", () => {
    const deposit = aDeposit();
    const reached = advance(
      aTransfer(deposit, { amount: "1" }, 10),
      deposit,
      3,
      12,
      someTime,
      false,
    );
    expect(advance(reached, deposit, 3, 10, someTime, false)).toEqual(reached);
  });
});

/* The same, for a block that the chain's network has locked: it counts as having reached the currency's own count. */
const lockedCounts = `
  - 6 @10 10         | CS, due -
  0 6 @10 10         | CS, due -
  2 6 @10 10         | CS, due -
  6 6 @10 10         | CS, due -
  8 6 @10 10         | S, due 17
  8 6 @10 15         | S, due 17
  8 6 @10 17         | CS, due -
  - 6 @10 11 from 50 | C, due 50
  - 6 @10 50 from 50 | CS, due -`;

describe("a payment in a locked block", () => {
  it.each(lockedCounts.trim().split("\n"))("is confirmed and settled: %s", (line) => {
    const { needed, own, height, tip, spendable, outcome } = readCounts(line);
    const deposit = aDeposit({ confirmationsNeeded: needed });
    const transfer = aTransfer(deposit, { amount: "1" }, height, {
      spendableFromHeight: spendable,
    });
    const { isConfirmed, isSettled, dueHeight } = advance(
      transfer,
      deposit,
      own,
      tip,
      someTime,
      false,
      true,
    );
    expect(`${isConfirmed ? "C" : ""}${isSettled ? "S" : ""}, due ${dueHeight ?? "-"}`).toBe(
      outcome,
    );
  });

  it("waits for screening, a price, and another node's confirmation like any other", () => {
    const deposit = aDeposit();
    const locked = (overrides: Parameters<typeof aTransfer>[3], needsOpinion = false) =>
      advance(
        aTransfer(deposit, { amount: "1" }, 10, overrides),
        deposit,
        6,
        10,
        someTime,
        needsOpinion,
        true,
      );
    const isNeither = { isConfirmed: false, isSettled: false };
    expect(locked({ riskStatus: riskStatus.queued })).toMatchObject(isNeither);
    expect(locked({ rate: null })).toMatchObject(isNeither);
    expect(locked({}, true)).toMatchObject({ ...isNeither, awaitsOpinionSince: someTime });
  });
});

describe("a payment that another node has to confirm", () => {
  const deposit = aDeposit();
  const payment = (overrides: Parameters<typeof aTransfer>[3] = {}) =>
    aTransfer(deposit, { amount: "1" }, 10, overrides);
  const hash = present(payment().block, "a block").hash;

  it("records when it started to wait at the currency's own count", () => {
    expect(advance(payment(), deposit, 3, 11, someTime, true)).toMatchObject({
      isConfirmed: false,
      isSettled: false,
      awaitsOpinionSince: null,
      dueHeight: 12,
    });
    const waiting = advance(payment(), deposit, 3, 12, someTime, true);
    expect(waiting).toMatchObject({
      isConfirmed: false,
      isSettled: false,
      awaitsOpinionSince: someTime,
      dueHeight: 12,
    });
    const later = addSeconds(someTime, 60);
    expect(advance(waiting, deposit, 3, 20, later, true)).toEqual(waiting);
  });

  it("is confirmed but not settled at a smaller requested count", () => {
    const eager = aDeposit({ confirmationsNeeded: 1 });
    expect(advance(payment(), eager, 3, 12, someTime, true)).toMatchObject({
      isConfirmed: true,
      isSettled: false,
      awaitsOpinionSince: someTime,
    });
  });

  it("is settled once another node has confirmed it in the same block", () => {
    expect(advance(payment({ vouchedHash: hash }), deposit, 3, 12, someTime, true)).toMatchObject({
      isConfirmed: true,
      isSettled: true,
      awaitsOpinionSince: null,
      dueHeight: null,
    });
    const elsewhere = advance(payment({ vouchedHash: "other" }), deposit, 3, 12, someTime, true);
    expect(elsewhere.isSettled).toBe(false);
  });

  it("needs the second opinion while screening holds it, so that it can be refunded", () => {
    const held = advance(payment({ riskStatus: riskStatus.red }), deposit, 3, 12, someTime, true);
    expect(held).toMatchObject({ isSettled: false, awaitsOpinionSince: someTime, dueHeight: 12 });
  });

  it("stays settled when the second opinion becomes required later", () => {
    const settled = advance(payment(), deposit, 3, 12, someTime, false);
    expect(advance(settled, deposit, 3, 13, someTime, true)).toEqual(settled);
  });
});

describe("decideTransfer", () => {
  it("treats amounts below the minimum as dust and other currencies as misplaced", () => {
    const deposit = aDeposit();
    const kind = (amount: string, more = {}) =>
      kindOf(aTransfer(deposit, { amount, ...more }, 10), deposit);
    expect(kind("0.00001")).toBe("payment");
    expect(kind("0.000009999999999999")).toBe("dust");
    expect(kind("0")).toBe("dust");
    expect(kind("5", { currency: bnb })).toBe("misplaced");
    expect(kind("0.00000001", { currency: bnb })).toBe("misplaced");
    expect(kind("5", { unlisted: "0xcafe" })).toBe("misplaced");
  });

  it("screens only payments", () => {
    const deposit = aDeposit();
    const queued = aTransfer(deposit, { amount: "1" }, 10, { riskStatus: riskStatus.queued });
    expect(withoutNeedlessScreening(queued, "payment").riskStatus).toBe(riskStatus.queued);
    expect(withoutNeedlessScreening(queued, "dust").riskStatus).toBe(riskStatus.notAvailable);
    expect(withoutNeedlessScreening(queued, "misplaced").riskStatus).toBe(riskStatus.notAvailable);
  });

  it("derives the interface's status from the disposition", () => {
    const deposit = aDeposit();
    const settled = { isConfirmed: true, isSettled: true, confirmedAt: someTime };
    const make = (overrides: object) => aTransfer(deposit, { amount: "1" }, 10, overrides);
    const words = (...args: Parameters<typeof conclude>) => {
      const { status, disposition, opType, reason } = conclude(...args);
      return [status, disposition, opType, reason];
    };
    expect(words(make({}), "payment", null, true)).toEqual([1, "pending", 1, null]);
    expect(words(make(settled), "payment", null, true)).toEqual([2, "credited", 1, null]);
    expect(words(make(settled), "payment", null, false)).toEqual([2, "pending", 1, null]);
    expect(words(make(settled), "payment", "late", false)).toEqual([2, "unresolved", 1, "late"]);
    expect(words(make({ isCancelled: true }), "payment", null, true)).toEqual([
      -3,
      "none",
      1,
      null,
    ]);
    expect(words(make({ riskStatus: 3, risk: 90 }), "payment", null, true)).toEqual([
      -2,
      "blocked",
      1,
      "screening",
    ]);
    expect(words(make({ opType: 15, ...settled }), "dust", null, false)).toEqual([
      2,
      "dust",
      15,
      null,
    ]);
    expect(words(make({ opType: 15, ...settled }), "misplaced", null, false)).toEqual([
      2,
      "misplaced",
      1,
      null,
    ]);
  });
});
