import { recordEvents } from "../callbacks/events/record-events.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import { appendPositions } from "../ledger/position.store.ts";
import { post } from "../ledger/post.ts";
import { type Entry, postingsBetween } from "../ledger/posting.ts";
import type { Executor } from "../platform/db/database.ts";
import { assert } from "../platform/kernel/assert.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { Random } from "../platform/kernel/random.ts";
import { readRecipientNames } from "./create/recipient-names.store.ts";
import {
  findDuePayouts,
  lockPayoutRows,
  readConfirmationTimes,
  readPayoutTips,
  savePayoutRows,
} from "./payout.store.ts";
import type { Payout } from "./payout.ts";
import { isChangeNotified, payoutEvents } from "./payout-events.ts";
import { transferOfPayout } from "./payout-transfer.ts";
import { committedBetween, positionsOf } from "./positions.ts";
import { isReleased, type RefundListener } from "./refund-listener.ts";
import { advancePayout } from "./send/advance-payout.ts";

/** What every change of a payout requires. */
export type PayoutContext = {
  readonly currencies: CurrencyRegistry;
  readonly random: Random;
  readonly refunds: RefundListener;
};

/** A payout before and after a change; the same object twice if nothing changed. */
export type PayoutChange = { readonly before: Payout; readonly after: Payout };

/**
 * Applies new facts to payouts and writes all consequences: progress, transfer, postings, balances, events. Locks the
 * rows in id order; `apply` receives each locked payout and returns it with the new facts (stage, spend, txid, block,
 * message), or unchanged. If it throws, everything rolls back. Confirmations are counted here: `apply` sets
 * `included` with a block, never `confirmed`. `tips` overrides the stored height of chains that are being advanced.
 * Refunds update their payments in the same transaction.
 */
export async function changePayouts(
  tx: Executor,
  context: PayoutContext,
  payoutIds: readonly string[],
  apply: (payout: Payout) => Payout,
  now: Instant,
  tips: ReadonlyMap<string, number | null> = new Map(),
): Promise<readonly PayoutChange[]> {
  const ids = [...new Set(payoutIds)];
  if (ids.length === 0) return [];
  const stored = await lockPayoutRows(tx, ids);
  assert(stored.length === ids.length, "an id names no payout");
  const read = await readPayoutTips(tx, [...new Set(stored.map((payout) => payout.chain))]);
  const tipOf = (chain: string): number | null => {
    const override = tips.get(chain);
    return override === undefined ? (read.get(chain)?.height ?? null) : override;
  };
  const lockedOf = (chain: string): number | null =>
    tips.has(chain) ? null : (read.get(chain)?.lockedHeight ?? null);
  const changes = stored.map((before) => {
    const currency = context.currencies.get(before.currency);
    const { chain } = before;
    const learned = apply(before);
    const after = advancePayout(before, learned, currency, tipOf(chain), now, lockedOf(chain));
    return { before, after };
  });
  await write(
    tx,
    context,
    changes.filter(({ before, after }) => before !== after),
    tipOf,
    now,
  );
  await context.refunds.applyOutcomes(tx, changes.flatMap(refundOutcome), now);
  return changes;
}

function refundOutcome({ before, after }: PayoutChange) {
  const { accountId, id } = after;
  return isReleased(before) === isReleased(after)
    ? []
    : [{ accountId, payoutId: id, isReleased: isReleased(after) }];
}

async function write(
  tx: Executor,
  context: PayoutContext,
  changes: readonly PayoutChange[],
  tipOf: (chain: string) => number | null,
  now: Instant,
): Promise<void> {
  if (changes.length === 0) return;
  const payouts = changes.map(({ after }) => after);
  const times = await readConfirmationTimes(tx, payouts);
  const written = changes.map((change) => {
    const confirmedAt = times.get(change.after.transferId) ?? null;
    return { change, transfer: transferOfPayout(change.after, { confirmedAt }) };
  });
  const recipients = await recipientsOf(tx, changes, context.currencies);
  // Sent together; PostgreSQL executes them in this order.
  await Promise.all([
    savePayoutRows(
      tx,
      payouts,
      written.map(({ transfer }) => transfer),
    ),
    post(
      tx,
      changes.map(({ before, after }) => entryOf(before, after)),
      now,
    ),
    appendPositions(tx, committedBetween(changes)),
    recordEvents(
      tx,
      written.flatMap(({ change, transfer }) =>
        payoutEvents(
          change,
          transfer,
          context.currencies,
          tipOf(change.after.chain),
          recipients.get(change.after.id) ?? null,
          now,
        ),
      ),
      context.random,
    ),
  ]);
}

/** The receivers' names of the payouts whose change members are notified of, by payout. */
async function recipientsOf(
  tx: Executor,
  changes: readonly PayoutChange[],
  currencies: CurrencyRegistry,
): Promise<ReadonlyMap<string, string | null>> {
  const told = changes.filter((change) => isChangeNotified(change, currencies));
  if (told.length === 0) return new Map();
  const payouts = told.map(({ after }) => after);
  const names = await readRecipientNames(tx, payouts);
  return new Map(payouts.map(({ id }, index) => [id, names[index] ?? null]));
}

/** The ledger entry of a payout's change; `before` is null for a new payout. */
export function entryOf(before: Payout | null, after: Payout): Entry {
  return {
    accountId: after.accountId,
    cause: `payout:${after.id}`,
    postings: postingsBetween(positionsOf(before), positionsOf(after)),
  };
}

/** Counts confirmations of a chain's payouts, in the transaction that advances its tip to `height`. */
export async function confirmPayouts(
  tx: Executor,
  context: PayoutContext,
  chain: string,
  height: number,
  now: Instant,
): Promise<readonly PayoutChange[]> {
  const due = await findDuePayouts(tx, chain, height);
  return changePayouts(tx, context, due, (payout) => payout, now, new Map([[chain, height]]));
}
