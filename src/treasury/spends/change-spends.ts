import { operatorAccountId } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { postingsBetween } from "../../ledger/posting.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { findChildSpends, setLiveClaims } from "./claim.store.ts";
import { lockSpends, type SpendChange, saveSpends } from "./spend.store.ts";
import { currentTxid, liveClaims, type Spend } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";
import { positionsOfSpend } from "./spend-positions.ts";
import { markDead } from "./spend-transitions.ts";

/**
 * Applies changes to spends and writes everything that follows: rows, claims, postings, and the listener's changes. Locks the
 * rows first, in id order. `apply` gets each spend under that lock and returns the changed spend, or the same object for no
 * change. Returns the changes, without child spends that ended because their parent lost.
 */
export async function changeSpends(
  tx: Executor,
  listener: SpendListener,
  spendIds: readonly string[],
  apply: (spend: Spend) => Spend,
  now: Instant,
): Promise<readonly SpendChange[]> {
  const ids = [...new Set(spendIds)];
  if (ids.length === 0) return [];
  const locked = await lockSpends(tx, ids);
  assert(locked.length === ids.length, "a spend to change does not exist");
  const changes = locked
    .map((before) => ({ before, after: apply(before) }))
    .filter(({ before, after }) => before !== after);
  await saveSpends(tx, changes);
  for (const { before, after } of changes) {
    const claims = liveClaims(after);
    if (!isSameSet(liveClaims(before), claims)) {
      await setLiveClaims(tx, after.id, [...claims]);
    }
  }
  await post(
    tx,
    changes.map(({ before, after }) => ({
      accountId: operatorAccountId,
      cause: `spend:${after.id}`,
      postings: postingsBetween(positionsOfSpend(before), positionsOfSpend(after)),
    })),
    now,
  );
  await notify(tx, listener, changes, now);
  const children = await findChildSpends(tx, changes.flatMap(deadTransactions));
  await changeSpends(tx, listener, children, (child) => markDead(child, now), now);
  return changes;
}

/** Transactions that can no longer be mined. Their outputs will never exist, so spends of these outputs end as well. */
function deadTransactions({
  before,
  after,
}: SpendChange): readonly { readonly chain: string; readonly txid: string }[] {
  return after.attempts.flatMap(({ number, state, txid }) => {
    const was = before.attempts.find((attempt) => attempt.number === number);
    const isNew = state === "dead" && was?.state !== "dead";
    return isNew && txid !== null ? [{ chain: after.chain, txid }] : [];
  });
}

async function notify(
  tx: Executor,
  listener: SpendListener,
  changes: readonly SpendChange[],
  now: Instant,
): Promise<void> {
  for (const name of notifications) {
    const spends = changes.filter((change) => hasHappened[name](change)).map(({ after }) => after);
    if (spends.length > 0) await listener[name](tx, spends, now);
  }
}

const hasHappened: Readonly<
  Record<Exclude<keyof SpendListener, "adopted">, (change: SpendChange) => boolean>
> = {
  orphaned: ({ before, after }) =>
    (before.inclusion !== null && after.inclusion === null) ||
    (before.expiredBy !== null && after.expiredBy === null),
  broadcast: ({ before, after }) =>
    after.state === "open" && currentTxid(after) !== null && !isSameTxid(before, after),
  dropped: hasReached("dropped"),
  dead: hasReached("dead"),
  included: ({ before, after }) =>
    before.inclusion === null && after.inclusion?.hasSucceeded === true,
  confirmed: hasReached("confirmed"),
  failed: hasReached("failed"),
};

const notifications = Object.keys(hasHappened) as (keyof typeof hasHappened)[];

function hasReached(state: Spend["state"]): (change: SpendChange) => boolean {
  return ({ before, after }) => before.state !== state && after.state === state;
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((claim) => b.has(claim));
}

function isSameTxid(before: Spend, after: Spend): boolean {
  return currentTxid(before) === currentTxid(after);
}
