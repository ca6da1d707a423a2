import type { Currency } from "../../currencies/currency.ts";
import { isLockedAt } from "../../deposits/transfers/chain-tip.ts";
import { confirmationHeight } from "../../deposits/transfers/confirmation-height.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type Payout, payoutStatus } from "../payout.ts";

/**
 * Derives a payout's progress from new facts and the best chain's tip: its confirmations, the height of their next
 * change, and whether it was revived. A block that the network has locked counts as having reached the currency's count. A count
 * that was reached stays reached until its block is orphaned. Returns `before` itself if nothing changed.
 */
export function advancePayout(
  before: Payout,
  updated: Payout,
  currency: Pick<Currency, "confirmationBlocks">,
  tipHeight: number | null,
  now: Instant,
  lockedHeight: number | null = null,
): Payout {
  assertConsistent(updated);
  const revision = isTakenBack(before, updated)
    ? Math.max(updated.revision, before.revision + 1)
    : updated.revision;
  const keeps = updated.block !== null && isSameBlock(before, updated);
  const progress = progressOf(updated, keeps, currency.confirmationBlocks, tipHeight, lockedHeight);
  const after = { ...updated, ...progress, revision };
  return isSame(before, after) ? before : { ...after, updatedAt: now };
}

function progressOf(
  payout: Payout,
  keepsCounts: boolean,
  ownCount: number,
  tipHeight: number | null,
  lockedHeight: number | null,
): Pick<Payout, "stage" | "isConfirmed" | "dueHeight"> {
  const { stage, block } = payout;
  if (block === null || (stage !== "included" && stage !== "confirmed")) {
    // A count of zero means first seen: broadcast to the network.
    const isSeen = stage === "sending" && payout.txid !== null && payout.confirmationsNeeded === 0;
    return { stage, isConfirmed: isSeen || stage === "internal", dueHeight: null };
  }
  const clientCount = payout.confirmationsNeeded ?? ownCount;
  const confirmAt = confirmationHeight(block.height, clientCount);
  const settleAt = confirmationHeight(block.height, ownCount);
  const reached = (height: number): boolean => tipHeight !== null && tipHeight >= height;
  const isLocked = isLockedAt(block, lockedHeight);
  const isSettled = (keepsCounts && stage === "confirmed") || reached(settleAt) || isLocked;
  const isConfirmed =
    (keepsCounts && payout.isConfirmed) ||
    clientCount === 0 ||
    reached(confirmAt) ||
    (isLocked && clientCount <= ownCount);
  const due = [...(isConfirmed ? [] : [confirmAt]), ...(isSettled ? [] : [settleAt])];
  return {
    stage: isSettled ? "confirmed" : "included",
    isConfirmed,
    dueHeight: due.length === 0 ? null : Math.min(...due),
  };
}

/** Earlier callbacks no longer hold: the block is gone, or a stopped payout is being sent again. */
function isTakenBack(before: Payout, after: Payout): boolean {
  const lostBlock = before.block !== null && !isSameBlock(before, after);
  return lostBlock || (stopped.has(before.stage) && !stopped.has(after.stage));
}

const stopped: ReadonlySet<Payout["stage"]> = new Set(["blocked", "failed", "cancelled"]);

function isSameBlock(a: Payout, b: Payout): boolean {
  return a.block?.hash === b.block?.hash;
}

function isSame(before: Payout, after: Payout): boolean {
  const keys = Object.keys(after) as (keyof Payout)[];
  return keys.every((key) => {
    const [was, is] = [before[key], after[key]];
    return was === is || (key === "block" && isSameBlock(before, after));
  });
}

function assertConsistent(payout: Payout): void {
  const isInBlock = payout.stage === "included" || payout.stage === "confirmed";
  const what = `payout ${payout.id} is ${payout.stage}`;
  assert(!isInBlock || payout.block !== null, `${what}, but not in a block`);
  assert(
    isInBlock || payout.stage === "failed" || payout.block === null,
    `${what}, but in a block`,
  );
  const isWaiting = payout.stage === "waiting";
  assert(
    isWaiting === (payout.status === payoutStatus.waiting),
    `${what}, but with another status`,
  );
  const isCanceled = payout.stage === "cancelled";
  assert(
    isCanceled === (payout.status === payoutStatus.canceled),
    `${what}, but with another status`,
  );
}
