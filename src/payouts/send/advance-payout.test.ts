import { describe, expect, it } from "vitest";
import { newPayout } from "../../../test/support/payout-records.ts";
import { fc } from "../../../test/support/property.ts";
import { type Position, postingsBetween } from "../../ledger/posting.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Payout } from "../payout.ts";
import { type PayoutTrigger, payoutTriggers } from "../payout-events.ts";
import { positionsOf } from "../positions.ts";
import { advancePayout } from "./advance-payout.ts";

/*
 * Random lives of a payout as spends and blocks would report them: sent, broadcast, included, orphaned, reverted,
 * withdrawn, adopted. On every path, events have distinct keys, and the ledger equals the positions of the last
 * state.
 */

const ownCount = 3;
const currency = { confirmationBlocks: ownCount };

type World = { payout: Payout; tip: number; blocks: number };

const steps: Readonly<Record<string, (world: World) => Partial<Payout> | null>> = {
  take: ({ payout }) => (payout.stage === "held" ? { stage: "sending", spendId: "9" } : null),
  broadcast: ({ payout }) => (payout.stage === "sending" ? { txid: "tx" } : null),
  include: (world) => {
    if (world.payout.stage !== "sending") return null;
    world.tip += 1;
    world.blocks += 1;
    return {
      stage: "included",
      txid: "tx",
      block: { height: world.tip, hash: `b${world.blocks}` },
    };
  },
  grow: (world) => {
    world.tip += 1;
    return {};
  },
  orphan: (world) => {
    const { block } = world.payout;
    if (block === null) return null;
    world.tip = block.height - 1;
    return { stage: "sending", block: null };
  },
  // Another block than the one it was in.
  move: (world) => {
    if (world.payout.stage !== "included" && world.payout.stage !== "confirmed") return null;
    world.blocks += 1;
    return { block: { height: world.tip, hash: `m${world.blocks}` } };
  },
  revert: (world) => {
    if (world.payout.stage !== "sending") return null;
    world.blocks += 1;
    return { stage: "failed", txid: "tx", block: { height: world.tip, hash: `r${world.blocks}` } };
  },
  die: ({ payout }) => (payout.stage === "sending" ? { stage: "failed", txid: null } : null),
  adopt: ({ payout }) =>
    ["held", "failed", "blocked"].includes(payout.stage) && payout.block === null
      ? { stage: "sending", txid: "tx" }
      : null,
  block: ({ payout }) => (payout.stage === "held" ? { stage: "blocked" } : null),
  release: ({ payout }) => (payout.stage === "blocked" ? { stage: "held" } : null),
};

const lives = fc.array(fc.constantFrom(...Object.keys(steps)), { maxLength: 40 });
const counts = fc.constantFrom(null, 0, 1, ownCount, 5);

function live(names: readonly string[], confirmationsNeeded: number | null) {
  const world: World = { payout: newPayout({ confirmationsNeeded }), tip: 100, blocks: 0 };
  const announced: { readonly trigger: PayoutTrigger; readonly key: string }[] = [];
  const booked: Position[] = [];
  const book = (before: Payout | null, after: Payout): void => {
    for (const { debit, credit, currency: id, units } of postingsBetween(
      positionsOf(before),
      positionsOf(after),
    )) {
      booked.push({ account: debit, currency: id, units });
      booked.push({ account: credit, currency: id, units: -units });
    }
  };
  book(null, world.payout);
  for (const [index, name] of names.entries()) {
    const facts = steps[name]?.(world) ?? null;
    if (facts === null) continue;
    const before = world.payout;
    const learned = { ...before, ...facts };
    const after = advancePayout(before, learned, currency, world.tip, (index + 1) as Instant);
    for (const trigger of payoutTriggers(before, after, ownCount)) {
      announced.push({ trigger, key: `${trigger}:${after.revision}` });
    }
    book(before, after);
    world.payout = after;
  }
  return { ...world, announced, booked };
}

describe("advancePayout", () => {
  it("gives every event its own key, and reverses only what was announced", () => {
    fc.assert(
      fc.property(lives, counts, (names, count) => {
        const { announced } = live(names, count);
        expect(new Set(announced.map(({ key }) => key)).size).toBe(announced.length);
        let open = 0;
        for (const { trigger } of announced) {
          if (trigger === "confirmed" || trigger === "settled" || trigger === "failed") open += 1;
          if (trigger === "reversed") {
            expect(open).toBeGreaterThan(0);
            open = count === 0 ? 1 : 0;
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("ends with a callback that matches the final state", () => {
    fc.assert(
      fc.property(lives, counts, (names, count) => {
        const { payout, announced } = live(names, count);
        const last = announced.map(({ trigger }) => trigger);
        const latest = last.findLast((trigger) => trigger !== "blocked");
        if (payout.stage === "failed") expect(latest).toBe("failed");
        if (payout.stage === "confirmed") expect(["confirmed", "settled"]).toContain(latest);
        if (latest === "failed") expect(payout.stage).toBe("failed");
        if (payout.stage === "blocked") expect(last.at(-1)).toBe("blocked");
      }),
      { numRuns: 2_000 },
    );
  });

  it("books the positions of the last state, whatever path led there", () => {
    fc.assert(
      fc.property(lives, counts, (names, count) => {
        const { payout, booked } = live(names, count);
        const sums = new Map<string, bigint>();
        const add = (positions: readonly Position[], sign: bigint): void => {
          for (const { account, currency: id, units } of positions) {
            const name = `${id} ${account}`;
            sums.set(name, (sums.get(name) ?? 0n) + sign * units);
          }
        };
        add(booked, 1n);
        add(positionsOf(payout), -1n);
        expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("schedules the next change ahead of the tip until the payout is settled", () => {
    fc.assert(
      fc.property(lives, counts, (names, count) => {
        const { payout, tip } = live(names, count);
        const { dueHeight, stage, isConfirmed } = payout;
        if (dueHeight !== null) expect(dueHeight).toBeGreaterThan(tip);
        const { block } = payout;
        const depth = block === null ? 0 : tip - block.height + 1;
        if (stage === "included")
          expect([dueHeight !== null, depth < ownCount]).toEqual([true, true]);
        if (stage === "confirmed") expect(depth).toBeGreaterThanOrEqual(ownCount);
        if (stage === "confirmed") expect(dueHeight === null).toBe(isConfirmed);
      }),
      { numRuns: 1_000 },
    );
  });
});
