import { present } from "../../platform/kernel/assert.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { traced } from "../../platform/kernel/tracing.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { hasEndedBy } from "../../platform/kernel/validity.ts";
import type { ApprovedPayout, SignOutcome, SpendIntent } from "../../signer/intent.ts";
import { readTipHeight } from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { readOpenSpends } from "./spend.store.ts";
import type { Attempt, Spend } from "./spend.ts";
import type { SpendContext } from "./spend-context.ts";
import { spanOf, tracesOf } from "./spend-traces.ts";
import { recordRefusal, recordSignature, startSigning, withdraw } from "./spend-transitions.ts";

/** A spend that the signer refused. */
export type RefusedSpend = { readonly spendId: string; readonly payoutIds: readonly string[] };

/** Requests to the signer at once. A draft of many coins takes it seconds. */
const requestsMax = 16;

type Unsigned = { readonly spend: Spend; readonly attempt: Attempt };

/**
 * Has all unsigned attempts signed, in the order of their spends, in groups, and commits each step before the next. Calls
 * `onRefused` for those that the signer refused. Rejects with `Unavailable` if the signer does not respond: it is asked again
 * with the same draft and gives the same answer.
 */
export async function signAttempts(
  context: SpendContext,
  onRefused: (refused: RefusedSpend) => void,
  signal: AbortSignal,
): Promise<void> {
  const { db, chain } = context;
  const open = await readOpenSpends(db, chain);
  const unsigned = open.flatMap((spend) =>
    spend.attempts
      .filter(({ state }) => state === "drafted" || state === "signing")
      .map((attempt) => ({ spend, attempt })),
  );
  const failures: Unavailable[] = [];
  for (let from = 0; from < unsigned.length && !signal.aborted; from += requestsMax) {
    const signable = await startGroup(context, unsigned.slice(from, from + requestsMax));
    const answers = await askSigner(context, signable);
    for (const refused of await recordAnswers(context, answers)) onRefused(refused);
    const unanswered = answers.flatMap(({ outcome }) =>
      outcome instanceof Unavailable ? [outcome] : [],
    );
    failures.push(...unanswered);
    // The signer is down: the rest would wait for nothing.
    if (signable.length > 0 && unanswered.length === signable.length) break;
  }
  const [first] = failures;
  if (first !== undefined) throw first;
}

/** What is signed closer to the end of its validity than this may expire before a block takes it. */
const leastSeconds = 20;
const leastBlocks = 3;

/**
 * Commits that the signer is about to see the drafted attempts: from then on they may have been signed. Payouts that are paused
 * by now stay as they are; payouts of a stopped wallet are held again, so that no later payment waits for their sequence number,
 * and so are those whose draft is about to expire. Returns those to sign.
 */
async function startGroup(
  context: SpendContext,
  unsigned: readonly Unsigned[],
): Promise<readonly Unsigned[]> {
  const { db, chain, clock, listener, payouts } = context;
  const drafted = unsigned.filter(({ attempt }) => attempt.state === "drafted");
  if (drafted.length === 0) return unsigned;
  const ofPayouts = drafted.filter(({ spend }) => spend.kind === "payout");
  const started = await db.transaction(async (tx) => {
    const now = clock.now();
    const arePaused = ofPayouts.length > 0 && (await payouts.arePaused(tx, chain, now));
    const free = arePaused ? drafted.filter(({ spend }) => spend.kind !== "payout") : drafted;
    const stopped = await payouts.ofStoppedWallets(tx, arePaused ? [] : spendIdsOf(ofPayouts));
    // Null before the follower has read a block: no height counts as reached then.
    const tipHeight = (await readTipHeight(tx, chain)) ?? 0;
    const soon = { height: tipHeight + leastBlocks, time: addSeconds(now, leastSeconds) };
    const isExpiring = ({ attempts }: Spend): boolean =>
      attempts.some(({ draft: { validity } }) => validity !== null && hasEndedBy(validity, soon));
    const numbers = new Map(free.map(({ spend, attempt }) => [spend.id, attempt.number]));
    const changes = await changeSpends(
      tx,
      listener,
      spendIdsOf(free),
      (spend) => {
        const isWithdrawn = stopped.has(spend.id) || isExpiring(spend);
        const withdrawn = isWithdrawn ? withdraw(spend, now) : spend;
        if (withdrawn !== spend) return withdrawn;
        return startSigning(spend, present(numbers.get(spend.id), "a drafted attempt"), now);
      },
      now,
    );
    return new Set(
      changes.filter(({ after }) => after.state === "open").map(({ after }) => after.id),
    );
  });
  return unsigned.filter(
    ({ spend, attempt }) => attempt.state === "signing" || started.has(spend.id),
  );
}

type SignableAttempt = Unsigned & { readonly intent: SpendIntent };
type Answered = SignableAttempt & { readonly outcome: SignOutcome | Unavailable };

/** Each attempt has its own answer. */
async function askSigner(
  context: SpendContext,
  unsigned: readonly Unsigned[],
): Promise<readonly Answered[]> {
  const { db, payouts, signer } = context;
  const ofPayouts = unsigned.filter(({ spend }) => spend.kind === "payout");
  const named = ofPayouts.filter(({ spend }) => signedFor(spend) === null);
  const intents = await payouts.intents(db, spendIdsOf(named));
  const signable = unsigned.flatMap((attempt): SignableAttempt[] => {
    const intent = intentOf(attempt, intents.get(attempt.spend.id) ?? []);
    return intent === null ? [] : [{ ...attempt, intent }];
  });
  const traces = await tracesOf(context, spendIdsOf(ofPayouts));
  return await Promise.all(
    signable.map(async (attempt) => {
      const { body, claims } = attempt.attempt.draft;
      try {
        const outcome = await traced(spanOf("sign transaction", attempt.spend, traces), () =>
          signer.sign({ intent: attempt.intent, body, claims }),
        );
        return { ...attempt, outcome };
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return { ...attempt, outcome: error };
      }
    }),
  );
}

/** Stores the answers in one transaction. Returns what was refused. */
async function recordAnswers(
  context: SpendContext,
  answers: readonly Answered[],
): Promise<readonly RefusedSpend[]> {
  const { db, clock, listener, logger } = context;
  const answered = answers.filter(({ outcome }) => !(outcome instanceof Unavailable));
  if (answered.length === 0) return [];
  const bySpend = new Map(answered.map((attempt) => [attempt.spend.id, attempt]));
  const now = clock.now();
  const apply = (spend: Spend): Spend => {
    const { outcome, attempt } = present(bySpend.get(spend.id), "the signer's answer");
    if (outcome instanceof Unavailable) return spend;
    if (outcome.kind === "refused")
      return recordRefusal(spend, attempt.number, outcome.reason, now);
    const signed = { txid: outcome.txid, raw: Buffer.from(outcome.raw, "hex") };
    return recordSignature(spend, attempt.number, signed, now);
  };
  const refused = answered.flatMap(
    ({ spend: { id, chain }, attempt: { number }, intent, outcome }) => {
      if (outcome instanceof Unavailable || outcome.kind !== "refused") return [];
      const { reason } = outcome;
      logger.error("the signer refused", { chain, spend: id, number, reason });
      const payoutIds =
        intent.kind === "payout" ? intent.payouts.map((payout) => payout.payoutId) : [];
      return [{ spendId: id, payoutIds }];
    },
  );
  await db.transaction((tx) => changeSpends(tx, listener, [...bySpend.keys()], apply, now));
  return refused;
}

/**
 * The intent for the signer, made of what was stored with the spend, so that it is the same each time. Null if the spend
 * carries no payout any more (another worker has recorded the signer's refusal), or one that was never approved.
 */
function intentOf(
  { spend, attempt: { draft } }: Unsigned,
  carried: readonly ApprovedPayout[],
): SpendIntent | null {
  const { id, chain, kind, purpose } = spend;
  const common = { spendId: id, chain, feeCeiling: draft.feeUnits.toString() };
  if (kind !== "payout") return { ...purpose, ...common, kind } as SpendIntent;
  const intents = signedFor(spend) ?? carried;
  return intents.length === 0 ? null : { ...common, kind, payouts: intents };
}

/** An adopted spend stores the payouts it was signed for, since the database may have lost some of them. Null for others. */
function signedFor({ purpose }: Spend): readonly ApprovedPayout[] | null {
  return (purpose["payouts"] as unknown as readonly ApprovedPayout[] | undefined) ?? null;
}

function spendIdsOf(unsigned: readonly Unsigned[]): readonly string[] {
  return unsigned.map(({ spend }) => spend.id);
}
