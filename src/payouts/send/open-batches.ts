import type { ChainWriter, Draft, Payment, SequenceRange } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { createSpends } from "../../treasury/spends/create-spend.ts";
import type { NewSpend } from "../../treasury/spends/spend.ts";
import { changePayouts } from "../change-payouts.ts";
import { lockPayoutRows } from "../payout.store.ts";
import type { Payout } from "../payout.ts";
import type { AccountBudget } from "./account-budget.ts";
import { commitOnlyIf } from "./commit-only-if.ts";
import type { SendContext } from "./send-context.ts";

/** A payout and the payment that it needs. */
export type Candidate = { readonly payout: Payout; readonly payment: Payment };

/** The payouts of one transaction, by their ids: one, or as many as the chain's transactions pay. */
export type Batch = readonly Candidate[];

/** A transaction that can be made, whose sequence numbers are not assigned yet. */
export type DraftedBatch = {
  readonly batch: Batch;
  readonly withSequence: (sequence: bigint | null, through?: bigint, lender?: string) => Draft;
};

/** Stores the round in one transaction; false, and nothing stored, if another worker took one of the sequence numbers. */
export async function openBatches(
  context: SendContext,
  account: NonNullable<ChainWriter["account"]>,
  budget: AccountBudget,
  drafted: readonly DraftedBatch[],
): Promise<boolean> {
  if (drafted.length === 0) return true;
  return commitOnlyIf(
    context.db,
    (tx) => openLocked(tx, context, account, budget, drafted),
    (isOpen) => isOpen,
  );
}

/**
 * Leaves out payouts that were canceled, blocked or sent since they were read, with all others of their transaction, without a
 * sequence gap.
 */
async function openLocked(
  tx: Executor,
  context: SendContext,
  { batching }: NonNullable<ChainWriter["account"]>,
  budget: AccountBudget,
  drafted: readonly DraftedBatch[],
): Promise<boolean> {
  const { chain, clock } = context;
  const now = clock.now();
  const ids = drafted.flatMap(({ batch }) => batch.map(({ payout }) => payout.id));
  const locked = await lockPayoutRows(tx, ids);
  const held = new Set(locked.filter(isFresh).map(({ id }) => id));
  const stillHeld = drafted.filter(({ batch }) => batch.every(({ payout }) => held.has(payout.id)));
  const ranges = budget.sequences(
    stillHeld.map(({ batch }) => (batching?.isAtomic === true ? batch.length : 1)),
  );
  const spends = await createSpends(
    tx,
    chain,
    stillHeld.map(({ batch, withSequence }, place) => {
      const range = present(ranges[place], "the numbers of a transaction");
      return newPayoutSpend(context, budget.address, batch, {
        range,
        draft: withSequence(range.sequence, range.through, range.lender),
      });
    }),
    now,
  );
  if (spends === null) return false;
  const spendIds = new Map(
    stillHeld.flatMap(({ batch }, place) =>
      batch.map(({ payout }) => [payout.id, present(spends[place], "its spend").id] as const),
    ),
  );
  await markSending(tx, context, spendIds, now);
  return true;
}

/** A held payout that no transaction which failed was to pay. */
export function isFresh({ stage, spendId }: Pick<Payout, "stage" | "spendId">): boolean {
  return stage === "held" && spendId === null;
}

/** The payouts are carried by these spends, by payout id. */
export async function markSending(
  tx: Executor,
  context: SendContext,
  spendIds: ReadonlyMap<string, string>,
  now: Instant,
): Promise<void> {
  const apply = (payout: Payout): Payout => ({
    ...payout,
    stage: "sending",
    spendId: present(spendIds.get(payout.id), "its spend"),
  });
  await changePayouts(tx, context, [...spendIds.keys()], apply, now);
}

/** A spend of payouts from the account. With several, it names them in the order of its payments. */
export function newPayoutSpend(
  { chain, writer, currencies, coinConfirmations }: SendContext,
  address: string,
  batch: Batch,
  { range, draft }: { readonly range: SequenceRange; readonly draft: Draft },
): NewSpend {
  const payoutIds = batch.map(({ payout }) => payout.id);
  const counts = batch.map(({ payout }) => currencies.get(payout.currency).confirmationBlocks);
  return {
    chain,
    kind: "payout",
    purpose: batch.length > 1 ? { payoutIds } : {},
    leaves: null,
    draft,
    sender: address,
    request: {
      payments: batch.map(({ payment }) => payment),
      funds: { kind: "account", address, ...range },
    },
    feeCurrency: writer.coin,
    confirmations: Math.max(coinConfirmations, ...counts),
  };
}
