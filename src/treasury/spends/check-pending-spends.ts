import type { NodeReader } from "../../chains/chain-adapter.ts";
import type { SpendStatus } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { findDecidedSpender, isBestBlock, isUndecided, lockTipHeight } from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { findRecordedSpender } from "./claim.store.ts";
import { findSpendsOf, readOpenSpends } from "./spend.store.ts";
import { type Attempt, isMinable, type Spend } from "./spend.ts";
import type { SpendContext, SpendSettings } from "./spend-context.ts";
import { type Mined, markDead, recordEquivalent } from "./spend-transitions.ts";
import { outagesMax, tryEach } from "./try-each.ts";

/**
 * Asks nodes about transactions that have been in no block for long. Blocks report the transactions that were known when they
 * were read; this finds those that a restored database had forgotten then, equivalents made by others, and transactions that
 * can never be mined. Rejects with `Unavailable`, after asking about all, if the node did not respond for one of them.
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
  const isAgreed = await isConflictConfirmed(context, answers, signal);
  const now = clock.now();
  const [change] = await db.transaction(async (tx) => {
    // Locks in the follower's order: first the cursor, then the spends.
    const tipHeight = await lockTipHeight(tx, chain);
    const statuses = await nameSpenders(tx, spend, await reassignOwn(tx, spend, answers));
    const trusted =
      tipHeight === null ? statuses : await ignoreOtherBranches(tx, chain, statuses, tipHeight);
    const mined = tipHeight === null ? null : await findMined(tx, chain, trusted, tipHeight);
    return changeSpends(
      tx,
      listener,
      [spend.id],
      (locked) =>
        applyAnswers(
          noteCheck(locked, trusted, now),
          isAgreed ? trusted : trusted.map(asUnknown),
          mined,
          tipHeight,
          now,
        ),
      now,
    );
  });
  if (change !== undefined && change.after.state !== "open") {
    const { state } = change.after;
    logger.warn("a node reported the outcome of a pending spend", {
      chain,
      spend: spend.id,
      state,
    });
  }
}

/**
 * Whether two nodes agree that none of these transactions can ever be mined; true if there is only one node, or if the first node
 * does not claim so. Otherwise one lying node could cause a payout's funds to be released although the chain pays it.
 */
async function isConflictConfirmed(
  { nodes = [], chain, logger }: SpendContext,
  answers: readonly Answer[],
  signal: AbortSignal,
): Promise<boolean> {
  const isConflicted = ({ status }: Answer): boolean => status.kind === "conflicted";
  if (nodes.length < 2 || answers.length === 0 || !answers.every(isConflicted)) return true;
  let agreeing = 0;
  for (const { node, status } of nodes) {
    const statuses = status === null ? [] : await statusesOf(status, answers, signal);
    if (statuses.length === answers.length && statuses.every(({ kind }) => kind === "conflicted"))
      agreeing += 1;
    else logger.error("a node does not confirm that a spend can never be mined", { chain, node });
  }
  return agreeing >= 2;
}

/** One node's statuses of the transactions; empty if it does not respond. */
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

const asUnknown = ({ attempt }: Pick<Answer, "attempt">): Answer => ({
  attempt,
  status: { kind: "unknown" },
});

/**
 * A transaction that makes the same payments may belong to another spend of ours, for another payout of the same amount to the
 * same receiver. Then it pays that payout and contradicts this spend.
 */
async function reassignOwn(
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
 * Where nodes do not tell which transaction spent a claim, it may have made the same payments: receivers are hidden, or the node no longer
 * knows which block used a nonce, and the transaction was signed for a lost database and journal. Another spend of ours names it, or the
 * blocks that we have read do (`recovery/detect-unexplained.ts`). Of the latter only a person knows whom it paid, even if it paid
 * something else as well, so it contradicts ours once a person has decided.
 */
async function nameSpenders(
  tx: Executor,
  { id, chain }: Spend,
  answers: readonly Answer[],
): Promise<readonly Answer[]> {
  const named: Answer[] = [];
  for (const { attempt, status } of answers) {
    if (status.kind !== "conflicted") named.push({ attempt, status });
    else if (status.by !== null)
      named.push(
        (await isUndecided(tx, chain, status.by)) ? asUnknown({ attempt }) : { attempt, status },
      );
    else {
      const { claims } = attempt.draft;
      const spender =
        (await findRecordedSpender(tx, chain, claims, id)) ??
        (await findDecidedSpender(tx, chain, claims));
      named.push({ attempt, status: { ...status, ...spender } });
    }
  }
  return named;
}

/**
 * A contradiction on another branch proves nothing: the node may be stuck on a losing branch. Believing it would release money
 * that the best chain still pays.
 */
async function ignoreOtherBranches(
  tx: Executor,
  chain: string,
  answers: readonly Answer[],
  tipHeight: number,
): Promise<readonly Answer[]> {
  const answered: Answer[] = [];
  for (const { attempt, status } of answers) {
    const isElsewhere =
      status.kind === "conflicted" &&
      (status.block === null || !(await isBestBlock(tx, chain, status.block, tipHeight)));
    answered.push({ attempt, status: isElsewhere ? { kind: "unknown" } : status });
  }
  return answered;
}

/** The answer whose block is on the best chain that we have read ourselves: the node may be ahead of us, or on another branch. */
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
 * Whether every minable transaction of the spend is contradicted by a foreign one, at the currency's confirmation count, in
 * blocks that we have read. One without a name may have made the same payments, which matters to all but sweeps: these pay only ourselves,
 * and the blocks that we read name no transactions of deposit addresses. Pure.
 */
export function isContradicted(
  spend: Pick<Spend, "attempts" | "confirmations" | "kind">,
  answers: readonly Answer[],
  tipHeight: number,
): boolean {
  const own = new Set(spend.attempts.map(({ txid }) => txid));
  const queried = new Set(answers.map(({ attempt }) => attempt.number));
  const isComplete = spend.attempts.filter(isMinable).every(({ number }) => queried.has(number));
  return (
    isComplete &&
    answers.length > 0 &&
    answers.every(
      ({ status }) =>
        status.kind === "conflicted" &&
        (status.by === null ? spend.kind === "sweep" : !own.has(status.by)) &&
        status.block !== null &&
        tipHeight - status.block.height + 1 >= spend.confirmations,
    )
  );
}

function noteCheck(spend: Spend, answers: readonly Answer[], now: Instant): Spend {
  const queried = new Set(answers.map(({ attempt }) => attempt.number));
  const attempts = spend.attempts.map((attempt) =>
    queried.has(attempt.number) ? { ...attempt, checkedAt: now } : attempt,
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
  // At any depth, its outcome is read again before the spend is final (`confirm-outcomes.ts`).
  if (mined !== null) return recordEquivalent(spend, mined, now);
  return isContradicted(spend, answers, tipHeight) ? markDead(spend, now) : spend;
}
