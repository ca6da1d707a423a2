import type { AccountDraftOutcome, ChainWriter, FeeCeiling } from "../../chains/paying-port.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Money } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { feeCeilingOf } from "../../treasury/spends/fee-ceiling.ts";
import type { Payout } from "../payout.ts";
import { type AccountBudget, readAccountBudget } from "./account-budget.ts";
import { blockPayouts, logFeesTooHigh } from "./block-payouts.ts";
import { type BatchWaits, hasWaitedEnough, splitGroup } from "./choose-groups.ts";
import { createOnce } from "./create-once.ts";
import { batchOf, draftEachBatch } from "./draft-batches.ts";
import { findAccountMode, type GroupMemory } from "./group-payouts.ts";
import { keepPayable } from "./keep-payable.ts";
import { type Batch, type Candidate, type DraftedBatch, openBatches } from "./open-batches.ts";
import { paymentOf } from "./paid-payouts.ts";
import type { SendContext } from "./send-context.ts";

/** Maximum payouts drafted and stored together, unless one transaction can pay more. */
const roundMax = 64;

export type RoundMemory = {
  /** How many payouts are drafted at once; reduced when the node times out or refuses the size. */
  roundSize: number;
  /** Payouts for which the node did not even answer individually. They are tried one at a time, last, the longest untried first. */
  readonly unanswered: Set<string>;
};

export type AccountMemory = RoundMemory & GroupMemory;

/** The state after a start, when nothing is known about the node. */
export function newRoundMemory(): RoundMemory {
  return { roundSize: roundMax, unanswered: new Set() };
}

/**
 * Opens spends for the payouts that the account can pay now, in order and with consecutive sequence numbers, several in one
 * transaction where the chain allows it. A payout that cannot be paid waits or is blocked without delaying others. False if there was
 * no room to consider all of them. Throws `Unavailable` at the end if the node had no answer for one of them.
 */
export async function sendFromAccount(
  context: SendContext,
  account: NonNullable<ChainWriter["account"]>,
  memory: AccountMemory,
  { payouts, waits }: { readonly payouts: readonly Payout[]; readonly waits: BatchWaits },
  signal: AbortSignal,
): Promise<boolean> {
  const outages: Unavailable[] = [];
  const noteOutage = (cause: Unavailable): void => {
    outages.push(cause);
  };
  let left = inSendingOrder(payouts, memory);
  if (left.length === 0) return true;
  const mode = await findAccountMode(context, account, memory, { payouts: left, waits }, signal);
  if (mode === null) return false;
  let keys: Keys | null = null;
  let allExamined = false;
  while (left.length > 0 && !signal.aborted) {
    const budget = await readAccountBudget(context, account, mode.pendingMax, noteOutage, signal);
    if (budget === null) break;
    keys ??= await mode.keysOf(left);
    const round = await chooseRound({ context, keys, budget, memory, waits }, left, signal);
    const chosen = round.flat();
    allExamined = chosen.length === 0;
    if (allExamined) break;
    // Payouts that were not covered may be covered later, if some of this round have to wait.
    left = left.filter(({ id }) => chosen.every(({ payout }) => payout.id !== id));
    const payable = await keepPayable(context, account, chosen, noteOutage, signal);
    const kept = round.map((batch) => batch.filter((candidate) => payable.has(candidate)));
    const batches = createOnce(kept, payable).filter((batch) => batch.length > 0);
    // Reserved again together with the fees, one by one: a payout that cannot cover its fee must not delay a later
    // one.
    budget.release(chosen.map(({ payment }) => payment.amount));
    const parts = { context, account, budget, memory, noteOutage, signal };
    const possible = (await draftBatches(parts, batches)).slice(0, budget.room);
    // What was split into halves may create an account twice.
    const whole = createOnce(batchesOf(possible), payable);
    const drafted = possible.filter(({ batch }, at) => whole[at]?.length === batch.length);
    if (!(await openBatches(context, account, budget, drafted))) break;
    for (const { payout } of drafted.flatMap(({ batch }) => batch)) memory.alone.delete(payout.id);
    allExamined = left.length === 0;
  }
  const [first] = outages;
  if (first !== undefined) throw first;
  return allExamined;
}

function batchesOf(drafted: readonly DraftedBatch[]): readonly Batch[] {
  return drafted.map(({ batch }) => batch);
}

/** Payouts without an answer come last: each may take a whole timeout. */
function inSendingOrder(
  payouts: readonly Payout[],
  { unanswered }: RoundMemory,
): readonly Payout[] {
  const known = new Map(payouts.map((payout) => [payout.id, payout]));
  const last = [...unanswered].flatMap((id) => known.get(id) ?? []);
  return [...payouts.filter(({ id }) => !unanswered.has(id)), ...last];
}

type Keys = ReadonlyMap<string, string | null>;

type Choice = Pick<Round, "context" | "budget" | "memory"> & {
  readonly keys: Keys;
  readonly waits: BatchWaits;
};

type Round = {
  readonly context: SendContext;
  readonly account: NonNullable<ChainWriter["account"]>;
  readonly budget: AccountBudget;
  readonly memory: AccountMemory;
  readonly noteOutage: (cause: Unavailable) => void;
  readonly signal: AbortSignal;
};

/** Drafts what the budget covers. What cannot be paid together is tried in halves, so that it is known which payout cannot be paid. */
async function draftBatches(
  round: Round,
  batches: readonly Batch[],
): Promise<readonly DraftedBatch[]> {
  const { context, budget, noteOutage, signal } = round;
  const outcomes = await askForDrafts(round, batches);
  const drafted: DraftedBatch[] = [];
  for (const [place, batch] of batches.entries()) {
    const outcome = present(outcomes[place], "the outcome of a batch");
    if (outcome.kind === "unanswered" && batch.length === 1) noteOutage(outcome.cause);
    const decision = await handleOutcome(context, budget, batch, outcome, signal);
    if (decision === "split") drafted.push(...(await draftBatches(round, splitGroup(batch))));
    else if (decision !== "waits") drafted.push(decision);
  }
  return drafted;
}

async function askForDrafts(
  { context, account, budget, memory, signal }: Round,
  batches: readonly Batch[],
): Promise<readonly AccountDraftOutcome[]> {
  if (batches.length === 0) return [];
  const ceiling = feeCeilingOf(context.settings);
  try {
    const outcomes = await draftEachBatch(
      account,
      budget.address,
      batches.map((batch) => batchOf(context, batch)),
      ceiling,
      signal,
    );
    memory.roundSize = Math.min(roundMaxOf(context.writer), memory.roundSize * 2);
    for (const { payout } of batches.flat()) memory.unanswered.delete(payout.id);
    return outcomes;
  } catch (error) {
    if (error instanceof Unavailable) reduceRound(memory, batches.flat());
    throw error;
  }
}

function reduceRound(memory: RoundMemory, [one, ...others]: readonly Candidate[]): void {
  if (others.length > 0) memory.roundSize = Math.floor((others.length + 1) / 2);
  else if (one !== undefined) {
    memory.unanswered.delete(one.payout.id);
    memory.unanswered.add(one.payout.id);
  }
}

/** The most payouts drafted and stored together on a chain. */
function roundMaxOf({ account, paymentsMax }: ChainWriter): number {
  return account?.batching === undefined ? roundMax : Math.max(roundMax, paymentsMax);
}

/** The next payouts, in order, that the budget covers, up to the round's size and the room for transactions. */
async function chooseRound(
  { context, keys, budget, memory, waits }: Choice,
  left: readonly Payout[],
  signal: AbortSignal,
): Promise<readonly Batch[]> {
  const { addressing, clock, writer, sending } = context;
  const paymentsMax = Math.min(writer.paymentsMax, sending.batchMax ?? writer.paymentsMax);
  const { roundSize, unanswered } = memory;
  const batches: { readonly key: string | null; readonly candidates: Candidate[] }[] = [];
  const isShared = left.some(({ id }) => (keys.get(id) ?? null) !== null);
  let count = 0;
  for (const payout of left) {
    if (count >= (unanswered.has(payout.id) ? 1 : roundSize)) break;
    const payment = paymentOf(payout, addressing);
    const key = unanswered.has(payout.id) ? null : (keys.get(payout.id) ?? null);
    const open = batches.find(
      (batch) => key !== null && batch.key === key && batch.candidates.length < paymentsMax,
    );
    // The last transaction pays several, so that payouts that are paid alone do not hold up all others.
    const isLast = batches.length === budget.room - 1 && batches.length > 0;
    if (key === null && isLast && isShared && batches.every((batch) => batch.key === null))
      continue;
    if (open === undefined && batches.length >= budget.room) {
      if (batches.every((batch) => batch.key === null)) break;
      continue;
    }
    if (!(await budget.reserve([payment.amount], signal))) continue;
    count += 1;
    const candidate = { payout, payment };
    if (open === undefined) batches.push({ key, candidates: [candidate] });
    else open.candidates.push(candidate);
  }
  const now = clock.now();
  const isDue = ({ key, candidates }: (typeof batches)[number]): boolean =>
    key === null ||
    candidates.length === paymentsMax ||
    candidates.some(({ payout }) => hasWaitedEnough(payout, waits, 0, now));
  for (const { candidates } of batches.filter((batch) => !isDue(batch)))
    budget.release(candidates.map(({ payment }) => payment.amount));
  return batches.filter(isDue).map(({ candidates }) => candidates.toSorted(byPayoutId));
}

function byPayoutId({ payout: a }: Candidate, { payout: b }: Candidate): number {
  return BigInt(a.id) < BigInt(b.id) ? -1 : 1;
}

/** The draft, if there is one and the budget covers the payments and their fee. Otherwise logs or blocks a single payout. */
async function handleOutcome(
  context: SendContext,
  budget: AccountBudget,
  batch: Batch,
  outcome: AccountDraftOutcome,
  signal: AbortSignal,
): Promise<DraftedBatch | "split" | "waits"> {
  const several = batch.length > 1;
  if (outcome.kind === "draft") {
    const { feeUnits, withSequence } = outcome;
    assertBelow(feeCeilingOf(context.settings), feeUnits);
    const fee: Money = { units: feeUnits, currency: context.writer.coin };
    const amounts = [...batch.map(({ payment }) => payment.amount), fee];
    if (await budget.reserve(amounts, signal)) return { batch, withSequence };
    return several ? "split" : "waits";
  }
  if (outcome.kind === "unanswered") return several ? "split" : "waits";
  if (outcome.kind === "tooExpensive") {
    logFeesTooHigh(context, outcome.feeUnits);
    return "waits";
  }
  if (several) return "split";
  if (outcome.kind === "impossible")
    await blockPayouts(
      context,
      batch.map(({ payout }) => payout),
      outcome.reason,
    );
  return "waits";
}

function assertBelow(ceiling: FeeCeiling, feeUnits: bigint): void {
  assert(!("units" in ceiling) || feeUnits <= ceiling.units, "a draft burns more than its ceiling");
}
