import { describe, expect, it } from "vitest";
import { newPayout } from "../../../test/support/payout-records.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type Payout, payoutStatus } from "../payout.ts";
import { advancePayout } from "./advance-payout.ts";

/* A payout in a block at height 10, of a currency that needs three confirmations: each count, rule and refusal by itself. */

const now = 9 as Instant;
const block = { height: 10, hash: "b10" };
const other = { height: 10, hash: "c10" };

function advance(
  before: Payout,
  facts: Partial<Payout>,
  tip: number | null = 10,
  locked: number | null = null,
): Payout {
  return advancePayout(
    before,
    { ...before, ...facts },
    { confirmationBlocks: 3 },
    tip,
    now,
    locked,
  );
}

describe("the confirmations of a payout", () => {
  it.each<[number | null, number | null, number | null, string, boolean, number | null]>([
    // count asked for, tip, locked height, stage, confirmed, next height
    [null, null, null, "included", false, 12],
    [null, 10, null, "included", false, 12],
    [null, 11, null, "included", false, 12],
    [null, 12, null, "confirmed", true, null],
    [1, 9, null, "included", false, 10],
    [1, 10, null, "included", true, 12],
    [0, null, null, "included", true, 12],
    [5, 11, null, "included", false, 12],
    [5, 12, null, "confirmed", false, 14],
    [5, 14, null, "confirmed", true, null],
    // A block that the network has locked counts as three.
    [null, 10, 10, "confirmed", true, null],
    [null, 10, 9, "included", false, 12],
    [1, null, 10, "confirmed", true, null],
    [3, 10, 10, "confirmed", true, null],
    [4, 10, 10, "confirmed", false, 13],
  ])("%s asked for at tip %s, locked to %s: %s", (needed, tip, locked, stage, isConfirmed, due) => {
    const sent = newPayout({ stage: "sending", confirmationsNeeded: needed });
    expect(advance(sent, { stage: "included", block }, tip, locked)).toMatchObject({
      stage,
      isConfirmed,
      dueHeight: due,
    });
  });

  it("are reached at the broadcast if none are needed, and by a payment inside the service", () => {
    const confirms = (payout: Partial<Payout>): boolean =>
      advance(newPayout(), { dueHeight: 7, ...payout }).isConfirmed;
    const sent = { stage: "sending", txid: "t", confirmationsNeeded: 0 } as const;
    expect(confirms(sent)).toBe(true);
    expect(confirms({ ...sent, txid: null })).toBe(false);
    expect(confirms({ ...sent, confirmationsNeeded: 1 })).toBe(false);
    expect(confirms({ ...sent, stage: "failed" })).toBe(false);
    expect(confirms({ stage: "internal" })).toBe(true);
    expect(confirms({ stage: "held" })).toBe(false);
  });

  it("stay reached while the block stays, whatever the tip, and not in another block", () => {
    const confirmed = newPayout({ stage: "confirmed", block, isConfirmed: true });
    const label = "changed";
    expect(advance(confirmed, { label }, 10)).toMatchObject({
      stage: "confirmed",
      isConfirmed: true,
    });
    expect(advance(confirmed, { block: other }, 10)).toMatchObject({
      stage: "included",
      isConfirmed: false,
    });
    const seen = newPayout({ stage: "included", block, isConfirmed: true, confirmationsNeeded: 2 });
    expect(advance(seen, { label }, 10)).toMatchObject({ stage: "included", isConfirmed: true });
    const unseen = { ...seen, isConfirmed: false };
    expect(advance(unseen, { label }, 10)).toMatchObject({ stage: "included", isConfirmed: false });
  });
});

describe("the revision of a payout", () => {
  it.each<[string, Partial<Payout>, Partial<Payout>, number]>([
    ["stays when a block includes it", { stage: "sending" }, { stage: "included", block }, 4],
    [
      "rises when its block is gone",
      { stage: "included", block },
      { stage: "sending", block: null },
      5,
    ],
    ["rises in another block", { stage: "included", block }, { block: other }, 5],
    ["rises when a failed payout is sent again", { stage: "failed" }, { stage: "sending" }, 5],
    ["rises when a blocked payout is released", { stage: "blocked" }, { stage: "held" }, 5],
    ["stays when a blocked payout fails", { stage: "blocked" }, { stage: "failed" }, 4],
    ["stays when a payout is sent", { stage: "held" }, { stage: "sending" }, 4],
    ["stays when a payout is stopped", { stage: "held" }, { stage: "blocked" }, 4],
    [
      "is never lower than the stored one",
      { stage: "failed" },
      { stage: "sending", revision: 8 },
      8,
    ],
  ])("%s", (_, before, facts, revision) => {
    expect(advance(newPayout({ revision: 4, ...before }), facts).revision).toBe(revision);
  });
});

describe("a payout that did not change", () => {
  const before = advance(newPayout({ stage: "sending" }), { stage: "included", block });

  it("is the same object, even if its block was read again", () => {
    expect(advance(before, {})).toBe(before);
    expect(advance(before, { block: { ...block } })).toBe(before);
  });

  it("is another one, changed now, if any attribute or the block differs", () => {
    const later = 99 as Instant;
    const next = (facts: Partial<Payout>): Payout =>
      advancePayout(before, { ...before, ...facts }, { confirmationBlocks: 3 }, 10, later);
    expect(next({ label: "changed" })).toEqual({ ...before, label: "changed", updatedAt: later });
    expect(next({ block: other }).block).toEqual(other);
  });
});

describe("a payout that contradicts itself", () => {
  const { waiting, approved, canceled } = payoutStatus;
  it.each<[string, Partial<Payout>]>([
    ["included, but not in a block", { stage: "included" }],
    ["confirmed, but not in a block", { stage: "confirmed" }],
    ["held, but in a block", { stage: "held", block }],
    ["waiting, but with another status", { stage: "waiting", status: approved }],
    ["held, but with another status", { stage: "held", status: waiting }],
    ["cancelled, but with another status", { stage: "cancelled", status: approved }],
    ["held, but with another status", { stage: "held", status: canceled }],
  ])("is an error: it is %s", (message, facts) => {
    expect(() => advance(newPayout(), facts)).toThrow(message);
  });

  it("is not one that failed in a block", () => {
    expect(advance(newPayout(), { stage: "failed", block }).block).toBe(block);
  });
});
