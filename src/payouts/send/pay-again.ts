import type { AccountDraftOutcome, ChainWriter, SequenceRange } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { SignedPayout } from "../../signer/intent.ts";
import { lenderOf } from "../../treasury/spends/account-in-use.ts";
import { insertSpendWithoutClaims } from "../../treasury/spends/create-spend.ts";
import {
  findSpend,
  findSpendsOfTransactions,
  freeLeftClaims,
} from "../../treasury/spends/earlier-spends.ts";
import { feeCeilingOf } from "../../treasury/spends/fee-ceiling.ts";
import { parseSequenceClaim } from "../../treasury/spends/sequence-allocator.ts";
import type { Spend } from "../../treasury/spends/spend.ts";
import { changePayouts } from "../change-payouts.ts";
import { lockPayoutRows } from "../payout.store.ts";
import type { Payout } from "../payout.ts";
import { logFeesTooHigh } from "./block-payouts.ts";
import { batchOf } from "./draft-batches.ts";
import { type Candidate, markSending, newPayoutSpend } from "./open-batches.ts";
import { paymentOf } from "./paid-payouts.ts";
import { findUnneededClaims, lockStoppedOf, readUndoneOfStoppedWallets } from "./send.store.ts";
import type { SendContext } from "./send-context.ts";

type Account = NonNullable<ChainWriter["account"]>;
type Batching = NonNullable<Account["batching"]>;

/**
 * Pays payouts whose transaction failed because of another payment in it (`AccountBatching.isAtomic`). They are held, and still name the
 * spend that failed. The new transaction claims the numbers that the failed one left, so both can never pay. A receiver that cannot be paid now
 * has no second chance with these numbers: such payouts fail, and the others are paid. Calls `onBehind` if the signer's journal has a
 * transaction for them that the database lacks.
 */
export async function payAgain(
  context: SendContext,
  account: Account,
  undone: readonly Payout[],
  signed: ReadonlyMap<string, SignedPayout>,
  signal: AbortSignal,
  onBehind: () => void,
): Promise<void> {
  const { batching, nextSequence } = account;
  if (batching === undefined || !batching.isAtomic || nextSequence === null) return;
  const address = present(context.hot, `the paying account of ${context.chain}`);
  for (const [spendId, payouts] of Map.groupBy(undone, (payout) => payout.spendId)) {
    const failed = spendId === null ? null : await findSpend(context.db, spendId);
    if (failed === null || signal.aborted) continue;
    if (!(await isOver(context, payouts, signed, onBehind))) continue;
    const owner = lenderOf(failed) ?? address;
    const range = leftOf(failed, await nextSequence(owner, signal), address);
    if (range === null) await failPayouts(context, payouts, "Its transaction cannot be repeated");
    else await payOne(context, account, { address, failed, range, payouts }, signal);
  }
}

/**
 * Fails payouts whose transaction failed because of another payment in it, and whose wallet is stopped since: every later transaction of the account
 * waits for the numbers that are kept for them. Calls `onBehind` as `payAgain` does.
 */
export async function failStopped(context: SendContext, onBehind: () => void): Promise<void> {
  const { db, chain, writer, sending } = context;
  if (writer.account?.batching?.isAtomic !== true) return;
  const stopped = await readUndoneOfStoppedWallets(db, chain, sending.examineMax);
  if (stopped.length === 0) return;
  const known = await context.payoutsSigned(stopped.map(({ id }) => id));
  const signed = new Map(known.map((entry) => [entry.payoutId, entry]));
  for (const [, payouts] of Map.groupBy(stopped, ({ spendId }) => spendId)) {
    if (!(await isOver(context, payouts, signed, onBehind))) continue;
    const reason = "The wallet was stopped before this payout could be sent again";
    // The wallet may have been resumed since.
    await failPayouts(context, payouts, reason, (tx, ids) => lockStoppedOf(tx, chain, ids));
  }
}

/** Whether everything signed for these payouts has failed permanently. Calls `onBehind` if the database lacks one of the transactions. */
async function isOver(
  { db, chain }: SendContext,
  payouts: readonly Payout[],
  signed: ReadonlyMap<string, SignedPayout>,
  onBehind: () => void,
): Promise<boolean> {
  const txids = payouts.flatMap(({ id }) => signed.get(id)?.txids ?? []);
  const attempts = await findSpendsOfTransactions(db, chain, txids);
  if (attempts === null) onBehind();
  return attempts?.every(({ state }) => state === "failed" || state === "dead") === true;
}

/** The numbers that the failed transaction claimed and did not use; null if none is left. */
function leftOf(
  { attempts, inclusion }: Spend,
  chainNext: bigint,
  address: string,
): SequenceRange | null {
  const mined = attempts.find(({ number }) => number === inclusion?.attempt);
  const [first = "", ...others] = mined?.draft.claims ?? [];
  const left = others
    .flatMap((claim) => parseSequenceClaim(claim)?.sequence ?? [])
    .filter((sequence) => sequence >= chainNext);
  const [sequence] = left;
  const through = left.at(-1);
  if (sequence === undefined || through === undefined) return null;
  const owner = parseSequenceClaim(first)?.sender ?? address;
  return {
    sequence,
    ...(sequence === through ? {} : { through }),
    ...(owner === address ? {} : { lender: owner }),
  };
}

function countOf({ sequence, through }: SequenceRange): number {
  return sequence === null || through === undefined ? 1 : Number(through - sequence) + 1;
}

type Repetition = {
  readonly address: string;
  readonly failed: Spend;
  readonly range: SequenceRange;
  readonly payouts: readonly Payout[];
};

async function payOne(
  context: SendContext,
  account: Account & { readonly batching?: Batching },
  { address, failed, range, payouts }: Repetition,
  signal: AbortSignal,
): Promise<void> {
  const batch = await withoutUnpayable(context, account, payouts, signal);
  if (batch === null || batch.length === 0) return;
  const draftAll = (batches: readonly (readonly Candidate[])[]) =>
    present(account.batching, "batches").draftEach(
      address,
      batches.map((each) => ({
        ...batchOf(context, each),
        numbers: countOf(range),
        ...(range.lender === undefined ? {} : { lender: range.lender }),
      })),
      feeCeilingOf(context.settings),
      signal,
    );
  const [outcome] = await draftAll([batch]);
  if (outcome?.kind === "draft") {
    const draft = outcome.withSequence(range.sequence, range.through, range.lender);
    await open(context, newPayoutSpend(context, address, batch, { range, draft }), failed, batch);
  } else if (outcome?.kind === "tooExpensive") logFeesTooHigh(context, outcome.feeUnits);
  else if (outcome?.kind === "impossible") {
    // The others are paid in the next pass.
    const impossible = await findImpossible(batch, draftAll);
    for (const [{ payout }, reason] of impossible) await failPayouts(context, [payout], reason);
  }
}

/**
 * Which payments of an impossible transaction it is, as the chain says when each is drafted alone. Where each alone is possible, it is the first one
 * that cannot be made together with those before it: without the numbers, it could not be paid later, and all other transactions would wait for it.
 */
async function findImpossible(
  batch: readonly Candidate[],
  draftAll: (batches: readonly (readonly Candidate[])[]) => Promise<readonly AccountDraftOutcome[]>,
): Promise<readonly (readonly [Candidate, reason: string])[]> {
  const reasonsIn = (outcomes: readonly AccountDraftOutcome[]) =>
    batch.flatMap((candidate, place): readonly (readonly [Candidate, string])[] => {
      const outcome = outcomes[place];
      return outcome?.kind === "impossible" ? [[candidate, outcome.reason]] : [];
    });
  const alone = await draftAll(batch.map((candidate) => [candidate]));
  if (alone.some(({ kind }) => kind !== "draft")) return reasonsIn(alone);
  const growing = await draftAll(batch.map((_, place) => batch.slice(0, place + 1)));
  return reasonsIn(growing).slice(0, 1);
}

/** Null if a receiver's state is unknown: then all wait, since what is left out now cannot be paid later. */
async function withoutUnpayable(
  context: SendContext,
  { receiver }: Account,
  payouts: readonly Payout[],
  signal: AbortSignal,
): Promise<readonly Candidate[] | null> {
  const payable: Candidate[] = [];
  const states = await Promise.all(
    payouts.map(async (payout) => {
      const payment = paymentOf(payout, context.addressing);
      const { destination, amount } = payment;
      try {
        const state = await receiver?.(destination, amount.currency, signal);
        return { payout, payment, state: state ?? ({ kind: "ready" } as const) };
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return null;
      }
    }),
  );
  for (const found of states) {
    if (found === null) return null;
    const { payout, payment, state } = found;
    if (state.kind === "impossible") await failPayouts(context, [payout], state.reason);
    else if (state.kind === "needsActivation" && payment.amount.units < state.minimumUnits)
      await failPayouts(context, [payout], "The amount does not create the receiver's account");
    else payable.push({ payout, payment });
  }
  return payable;
}

/** Its numbers stay claimed by the spend that failed; no change if the payouts were canceled or taken since they were read. */
async function open(
  context: SendContext,
  spend: ReturnType<typeof newPayoutSpend>,
  failed: Spend,
  batch: readonly Candidate[],
): Promise<void> {
  const { db, clock } = context;
  const ids = batch.map(({ payout }) => payout.id);
  await db.transaction(async (tx) => {
    const now = clock.now();
    const locked = await lockPayoutRows(tx, ids);
    if (!locked.every(({ stage, spendId }) => stage === "held" && spendId === failed.id)) return;
    const purpose = { ...spend.purpose, undoneBy: failed.id };
    const { id } = await insertSpendWithoutClaims(tx, { ...spend, purpose }, now);
    await markSending(tx, context, new Map(ids.map((payoutId) => [payoutId, id])), now);
  });
}

async function failPayouts(
  context: SendContext,
  payouts: readonly Payout[],
  message: string,
  select: (tx: Executor, ids: readonly string[]) => Promise<readonly string[]> = (_tx, ids) =>
    Promise.resolve(ids),
): Promise<void> {
  const { db, chain, clock, logger } = context;
  const spends = new Map(payouts.map(({ id, spendId }) => [id, spendId]));
  const apply = (payout: Payout): Payout =>
    payout.stage === "held" && payout.spendId !== null && payout.spendId === spends.get(payout.id)
      ? { ...payout, stage: "failed", message }
      : payout;
  await db.transaction(async (tx) => {
    const ids = await select(tx, [...spends.keys()]);
    if (ids.length === 0) return;
    logger.warn("payouts cannot be paid again", { chain, payouts: ids, reason: message });
    await changePayouts(tx, context, ids, apply, clock.now());
  });
}

/** Frees numbers that failed transactions left and that no payout needs: later transactions would wait for them. */
export async function freeUnneededNumbers({ db, chain, writer }: SendContext): Promise<void> {
  if (writer.account?.batching?.isAtomic !== true) return;
  const claims = await findUnneededClaims(db, chain);
  if (claims.length > 0) await db.transaction((tx) => freeLeftClaims(tx, chain, claims));
}
