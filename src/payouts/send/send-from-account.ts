import type {
  AccountDraftOutcome,
  ChainWriter,
  Draft,
  FeeCeiling,
  Payment,
} from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Money } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { createSpends } from "../../treasury/spends/create-spend.ts";
import { feeCeilingOf } from "../../treasury/spends/fee-ceiling.ts";
import type { NewSpend } from "../../treasury/spends/spend.ts";
import { changePayouts } from "../change-payouts.ts";
import { lockPayoutRows } from "../payout.store.ts";
import type { Payout } from "../payout.ts";
import { type AccountBudget, readAccountBudget } from "./account-budget.ts";
import { blockPayouts, logFeesTooHigh } from "./block-payouts.ts";
import { commitOnlyIf } from "./commit-only-if.ts";
import { keepPayable } from "./keep-payable.ts";
import { paymentOf } from "./paid-payouts.ts";
import type { SendContext } from "./send-context.ts";

/** Maximum payouts drafted and stored together. */
const roundMax = 64;

export type RoundMemory = {
  /** How many payouts are drafted at once; reduced when the node times out or refuses the size. */
  roundSize: number;
  /** Payouts for which the node did not even answer individually. They are tried one at a time, last, the longest untried first. */
  readonly unanswered: Set<string>;
};

/** The state after a start, when nothing is known about the node. */
export function newRoundMemory(): RoundMemory {
  return { roundSize: roundMax, unanswered: new Set() };
}

type Candidate = { readonly payout: Payout; readonly payment: Payment };
type Drafted = Candidate & { readonly withSequence: (sequence: bigint | null) => Draft };

/**
 * Opens spends for the payouts that the account can pay now, one transaction each, in order and with consecutive
 * sequence numbers. A payout that cannot be paid waits or is blocked without delaying others. False if there was no room to
 * consider all of them. Throws `Unavailable` at the end if the node had no answer for one of them.
 */
export async function sendFromAccount(
  context: SendContext,
  account: NonNullable<ChainWriter["account"]>,
  memory: RoundMemory,
  payouts: readonly Payout[],
  signal: AbortSignal,
): Promise<boolean> {
  const outages: Unavailable[] = [];
  const noteOutage = (cause: Unavailable): void => {
    outages.push(cause);
  };
  let left = inSendingOrder(payouts, memory);
  let allExamined = left.length === 0;
  while (left.length > 0 && !signal.aborted) {
    const budget = await readAccountBudget(context, account, noteOutage, signal);
    if (budget === null) break;
    const round = await chooseRound(context, budget, memory, left, signal);
    allExamined = round.length === 0;
    if (allExamined) break;
    // Payouts that were not covered may be covered later, if some of this round have to wait.
    left = left.filter(({ id }) => round.every(({ payout }) => payout.id !== id));
    const payable = await keepPayable(context, account, round, noteOutage, signal);
    const outcomes = await draftRound(context, account, budget, memory, payable, signal);
    // Reserved again together with the fees, one by one: a payout that cannot cover its fee must not delay a later
    // one.
    budget.release(round.map(({ payment }) => payment.amount));
    const drafted: Drafted[] = [];
    for (const [place, candidate] of payable.entries()) {
      const outcome = present(outcomes[place], "the outcome of a payment");
      if (outcome.kind === "unanswered") noteOutage(outcome.cause);
      const draft = await handleOutcome(context, budget, candidate, outcome, signal);
      if (draft !== null) drafted.push(draft);
    }
    if (!(await openRound(context, budget, drafted))) break;
    allExamined = left.length === 0;
  }
  const [first] = outages;
  if (first !== undefined) throw first;
  return allExamined;
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

async function draftRound(
  context: SendContext,
  account: NonNullable<ChainWriter["account"]>,
  budget: AccountBudget,
  memory: RoundMemory,
  round: readonly Candidate[],
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (round.length === 0) return [];
  try {
    const outcomes = await account.draftEach(
      budget.address,
      round.map(({ payment, payout }) => ({
        payment,
        feeTarget: feeTargetOf(payout, context),
        reference: payout.id,
      })),
      feeCeilingOf(context.settings),
      signal,
    );
    memory.roundSize = Math.min(roundMax, memory.roundSize * 2);
    for (const { payout } of round) memory.unanswered.delete(payout.id);
    return outcomes;
  } catch (error) {
    if (error instanceof Unavailable) reduceRound(memory, round);
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

/** The next payouts, in order, that the budget covers, up to the round's size. */
async function chooseRound(
  { addressing }: SendContext,
  budget: AccountBudget,
  { roundSize, unanswered }: RoundMemory,
  left: readonly Payout[],
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const round: Candidate[] = [];
  for (const payout of left) {
    const size = unanswered.has(payout.id) ? 1 : Math.min(roundSize, budget.room);
    if (round.length >= size) break;
    const payment = paymentOf(payout, addressing);
    if (await budget.reserve([payment.amount], signal)) round.push({ payout, payment });
  }
  return round;
}

/** The fee charged to the payer, at which the draft aims; null if there is none. */
function feeTargetOf({ feeCurrency, feeUnits }: Payout, { writer }: SendContext): bigint | null {
  return feeCurrency !== writer.coin || feeUnits === 0n ? null : feeUnits;
}

/** The draft, if there is one and the budget covers the payment and its fee. Otherwise logs or blocks the payout. */
async function handleOutcome(
  context: SendContext,
  budget: AccountBudget,
  candidate: Candidate,
  outcome: AccountDraftOutcome,
  signal: AbortSignal,
): Promise<Drafted | null> {
  const { payout, payment } = candidate;
  if (outcome.kind === "draft") {
    const { feeUnits, withSequence } = outcome;
    assertBelow(feeCeilingOf(context.settings), feeUnits);
    const fee: Money = { units: feeUnits, currency: context.writer.coin };
    return (await budget.reserve([payment.amount, fee], signal))
      ? { ...candidate, withSequence }
      : null;
  }
  if (outcome.kind === "tooExpensive") logFeesTooHigh(context, outcome.feeUnits);
  if (outcome.kind === "impossible") await blockPayouts(context, [payout], outcome.reason);
  return null;
}

function assertBelow(ceiling: FeeCeiling, feeUnits: bigint): void {
  assert(!("units" in ceiling) || feeUnits <= ceiling.units, "a draft burns more than its ceiling");
}

/** Stores the round in one transaction; false, and nothing stored, if another worker took one of the sequence numbers. */
async function openRound(
  context: SendContext,
  budget: AccountBudget,
  drafted: readonly Drafted[],
): Promise<boolean> {
  if (drafted.length === 0) return true;
  return commitOnlyIf(
    context.db,
    (tx) => openLocked(tx, context, budget, drafted),
    (isOpen) => isOpen,
  );
}

/** Leaves out payouts that were canceled, blocked or sent since they were read, without a sequence gap. */
async function openLocked(
  tx: Executor,
  context: SendContext,
  budget: AccountBudget,
  drafted: readonly Drafted[],
): Promise<boolean> {
  const { chain, clock } = context;
  const now = clock.now();
  const locked = await lockPayoutRows(
    tx,
    drafted.map(({ payout }) => payout.id),
  );
  const held = new Set(locked.filter(({ stage }) => stage === "held").map(({ id }) => id));
  const stillHeld = drafted.filter(({ payout }) => held.has(payout.id));
  const sequences = budget.sequences(stillHeld.length);
  const spends = await createSpends(
    tx,
    chain,
    stillHeld.map((draft, place) =>
      newSpend(context, budget.address, draft, sequences[place] ?? null),
    ),
    now,
  );
  if (spends === null) return false;
  const spendIds = new Map(stillHeld.map(({ payout }, place) => [payout.id, spends[place]?.id]));
  await changePayouts(
    tx,
    context,
    [...spendIds.keys()],
    (payout) => ({
      ...payout,
      stage: "sending",
      spendId: present(spendIds.get(payout.id), "its spend"),
    }),
    now,
  );
  return true;
}

function newSpend(
  context: SendContext,
  address: string,
  { payout, payment, withSequence }: Drafted,
  sequence: bigint | null,
): NewSpend {
  const { chain, writer, currencies } = context;
  return {
    chain,
    kind: "payout",
    purpose: {},
    leaves: null,
    draft: withSequence(sequence),
    sender: address,
    request: { payments: [payment], funds: { kind: "account", address, sequence } },
    feeCurrency: writer.coin,
    confirmations: Math.max(
      context.coinConfirmations,
      currencies.get(payout.currency).confirmationBlocks,
    ),
  };
}
