import type { NodeReader } from "../../chains/chain-adapter.ts";
import type { SpendStatus } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { isBestBlock, lockTipHeight } from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { findSpendsOf, readOpenSpends } from "./spend.store.ts";
import { type Attempt, isMinable, type Spend } from "./spend.ts";
import type { SpendContext, SpendSettings } from "./spend-context.ts";
import { type Mined, markDead, recordEquivalent } from "./spend-transitions.ts";
import { outagesMax, tryEach } from "./try-each.ts";

/**
 * Asks what became of transactions that no block was seen to hold for long. Blocks tell by themselves of all that were known
 * when they were read; this finds what a restored database had forgotten then, what others have made of our transactions, and
 * what can never be mined. Rejects with `Unavailable`, once all were asked, where the node gave any no answer.
 */
export async function checkPendingSpends(
  context: SpendContext,
  signal: AbortSignal,
): Promise<void> {
  const open = await readOpenSpends(context.db, context.chain);
  const due = open.filter((spend) => isCheckDue(spend, context.settings, context.clock.now()));
  await tryEach(
    due,
    async (spend) => {
      if (!signal.aborted) await checkOne(context, spend, signal);
    },
    outagesMax,
  );
}

function isCheckDue(
  { attempts }: Spend,
  { checkAfterSeconds }: SpendSettings,
  now: Instant,
): boolean {
  return attempts.filter(isMinable).some(({ checkedAt, firstBroadcastAt, createdAt }) => {
    const waited = secondsBetween(checkedAt ?? firstBroadcastAt ?? createdAt, now);
    return waited < 0 || waited >= checkAfterSeconds;
  });
}

type Answer = { readonly attempt: Attempt; readonly status: SpendStatus };

async function checkOne(context: SpendContext, spend: Spend, signal: AbortSignal): Promise<void> {
  const { db, clock, chain, writer, listener, logger } = context;
  const answers: Answer[] = [];
  for (const attempt of spend.attempts) {
    if (!isMinable(attempt) || attempt.txid === null) continue;
    answers.push({ attempt, status: await writer.status(attempt.txid, attempt.draft, signal) });
  }
  const isVouched = await isContradictedElsewhere(context, answers, signal);
  const now = clock.now();
  const [change] = await db.transaction(async (tx) => {
    // The follower moves its cursor first and changes spends then: so in this order here too.
    const tipHeight = await lockTipHeight(tx, chain);
    const said = await withoutOthers(tx, spend, answers);
    const told = tipHeight === null ? said : await withoutStrays(tx, chain, said, tipHeight);
    const mined = tipHeight === null ? null : await findMined(tx, chain, told, tipHeight);
    return changeSpends(
      tx,
      listener,
      [spend.id],
      (one) =>
        applyAnswers(
          noteCheck(one, told, now),
          isVouched ? told : told.map(unsure),
          mined,
          tipHeight,
          now,
        ),
      now,
    );
  });
  if (change !== undefined && change.after.state !== "open") {
    const { state } = change.after;
    logger.warn("the fate of a spend was learnt by asking", { chain, spend: spend.id, state });
  }
}

/**
 * Whether two nodes say that each of these can never be mined, or there are not two: one that lies would have a payout's money
 * given back that the chain pays. True where the first answers do not say so anyway.
 */
async function isContradictedElsewhere(
  { nodes = [], chain, logger }: SpendContext,
  answers: readonly Answer[],
  signal: AbortSignal,
): Promise<boolean> {
  const isConflicted = ({ status }: Answer): boolean => status.kind === "conflicted";
  if (nodes.length < 2 || answers.length === 0 || !answers.every(isConflicted)) return true;
  let agreeing = 0;
  for (const { node, status } of nodes) {
    const said = status === null ? [] : await statusesOf(status, answers, signal);
    if (said.length === answers.length && said.every(({ kind }) => kind === "conflicted"))
      agreeing += 1;
    else logger.error("a node does not confirm that a spend is dead", { chain, node });
  }
  return agreeing >= 2;
}

/** What one node says of each; nothing where it does not answer. */
async function statusesOf(
  status: NonNullable<NodeReader["status"]>,
  answers: readonly Answer[],
  signal: AbortSignal,
): Promise<readonly SpendStatus[]> {
  const statuses: SpendStatus[] = [];
  try {
    for (const { attempt } of answers)
      if (attempt.txid !== null) statuses.push(await status(attempt.txid, attempt.draft, signal));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return [];
  }
  return statuses;
}

const unsure = ({ attempt }: Answer): Answer => ({ attempt, status: { kind: "unknown" } });

/**
 * What makes the same payments may be the transaction of another spend of ours, for another payout of the same amount to the
 * same receiver: then it pays that one, and contradicts this one.
 */
async function withoutOthers(
  tx: Executor,
  { id, chain }: Spend,
  answers: readonly Answer[],
): Promise<readonly Answer[]> {
  const mined = answers.flatMap(({ status }) => (status.kind === "mined" ? [status.txid] : []));
  const owners = await findSpendsOf(tx, chain, mined);
  return answers.map(({ attempt, status }) => {
    if (status.kind !== "mined" || (owners.get(status.txid) ?? id) === id)
      return { attempt, status };
    const { txid, block } = status;
    return { attempt, status: { kind: "conflicted", by: txid, block } };
  });
}

/**
 * What a node says of another branch contradicts nothing: it may have stopped on one that lost, and be asked since the first
 * one is away. Money would be given back that the best chain still pays.
 */
async function withoutStrays(
  tx: Executor,
  chain: string,
  answers: readonly Answer[],
  tipHeight: number,
): Promise<readonly Answer[]> {
  const kept: Answer[] = [];
  for (const { attempt, status } of answers) {
    const isStray =
      status.kind === "conflicted" &&
      (status.block === null || !(await isBestBlock(tx, chain, status.block, tipHeight)));
    kept.push({ attempt, status: isStray ? { kind: "unknown" } : status });
  }
  return kept;
}

/** What is in a block of the best chain as we read it ourselves: the node may be ahead of us, or astray. */
async function findMined(
  tx: Executor,
  chain: string,
  answers: readonly Answer[],
  tipHeight: number,
): Promise<Mined | null> {
  for (const { status } of answers) {
    if (status.kind !== "mined") continue;
    const { block, ...rest } = status;
    if (await isBestBlock(tx, chain, block, tipHeight)) {
      return { ...rest, height: block.height, hash: block.hash };
    }
  }
  return null;
}

/**
 * Pure. Whether every transaction of the spend that could be mined is contradicted by one that is none of its own, as deep as
 * the currency asks, in blocks that we have read.
 */
export function isContradicted(
  spend: Pick<Spend, "attempts" | "confirmations">,
  answers: readonly Answer[],
  tipHeight: number,
): boolean {
  const own = new Set(spend.attempts.map(({ txid }) => txid));
  const asked = new Set(answers.map(({ attempt }) => attempt.number));
  const isComplete = spend.attempts.filter(isMinable).every(({ number }) => asked.has(number));
  return (
    isComplete &&
    answers.length > 0 &&
    answers.every(
      ({ status }) =>
        status.kind === "conflicted" &&
        (status.by === null || !own.has(status.by)) &&
        status.block !== null &&
        tipHeight - status.block.height + 1 >= spend.confirmations,
    )
  );
}

function noteCheck(spend: Spend, answers: readonly Answer[], now: Instant): Spend {
  const asked = new Set(answers.map(({ attempt }) => attempt.number));
  const attempts = spend.attempts.map((attempt) =>
    asked.has(attempt.number) ? { ...attempt, checkedAt: now } : attempt,
  );
  return spend.state === "open" ? { ...spend, attempts } : spend;
}

function applyAnswers(
  spend: Spend,
  answers: readonly Answer[],
  mined: Mined | null,
  tipHeight: number | null,
  now: Instant,
): Spend {
  if (tipHeight === null) return spend;
  // However deep it is, its outcome is read again before it is over (`review-outcomes.ts`).
  if (mined !== null) return recordEquivalent(spend, mined, now);
  return isContradicted(spend, answers, tipHeight) ? markDead(spend, now) : spend;
}
