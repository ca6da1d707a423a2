import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ApprovedPayout, SignOutcome, SpendIntent } from "../../signer/intent.ts";
import { changeSpends } from "./change-spends.ts";
import { readOpenSpends } from "./spend.store.ts";
import type { Attempt, Spend } from "./spend.ts";
import type { SpendContext } from "./spend-context.ts";
import { recordRefusal, recordSignature, startSigning, withdraw } from "./spend-transitions.ts";

/** What the signer would not sign. */
export type RefusedSpend = { readonly spendId: string; readonly payoutIds: readonly string[] };

/** The signer is asked for so many at once. A draft of many coins takes it seconds. */
const askedMax = 16;

type Unsigned = { readonly spend: Spend; readonly attempt: Attempt };

/**
 * Has every attempt signed that is not yet, in the order of the spends, some together, each step committed before the next.
 * `onRefused` hears of those that the signer refused. Rejects with `Unavailable` where the signer does not answer: it is
 * asked again with the same draft, whose answer is the same.
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
  const silences: Unavailable[] = [];
  for (let from = 0; from < unsigned.length && !signal.aborted; from += askedMax) {
    const asked = await begin(context, unsigned.slice(from, from + askedMax));
    const answers = await askSigner(context, asked);
    for (const refused of await enterAnswers(context, answers)) onRefused(refused);
    const silent = answers.flatMap(({ outcome }) =>
      outcome instanceof Unavailable ? [outcome] : [],
    );
    silences.push(...silent);
    // It is away: the rest would wait as long for nothing.
    if (asked.length > 0 && silent.length === asked.length) break;
  }
  const [first] = silences;
  if (first !== undefined) throw first;
}

/**
 * Of those in their first state commits that the signer is going to hear of them: from here on nobody can be sure that they were
 * not signed. Payouts that are paused by now stay as they are; those of a wallet that is stopped are held again, so that no later
 * payment waits for their nonce. Returns which of them are to be signed.
 */
async function begin(
  context: SpendContext,
  unsigned: readonly Unsigned[],
): Promise<readonly Unsigned[]> {
  const { db, chain, clock, listener, payouts } = context;
  const drafted = unsigned.filter(({ attempt }) => attempt.state === "drafted");
  if (drafted.length === 0) return unsigned;
  const ofPayouts = drafted.filter(({ spend }) => spend.kind === "payout");
  const begun = await db.transaction(async (tx) => {
    const now = clock.now();
    const arePaused = ofPayouts.length > 0 && (await payouts.arePaused(tx, chain, now));
    const free = arePaused ? drafted.filter(({ spend }) => spend.kind !== "payout") : drafted;
    const barred = await payouts.ofStoppedWallets(tx, arePaused ? [] : spendIdsOf(ofPayouts));
    const numbers = new Map(free.map(({ spend, attempt }) => [spend.id, attempt.number]));
    const changes = await changeSpends(
      tx,
      listener,
      spendIdsOf(free),
      (spend) => {
        const withdrawn = barred.has(spend.id) ? withdraw(spend, now) : spend;
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
    ({ spend, attempt }) => attempt.state === "signing" || begun.has(spend.id),
  );
}

type Asked = Unsigned & { readonly intent: SpendIntent };
type Answered = Asked & { readonly outcome: SignOutcome | Unavailable };

/** Each has its own answer, or none. */
async function askSigner(
  context: SpendContext,
  unsigned: readonly Unsigned[],
): Promise<readonly Answered[]> {
  const { db, payouts, signer } = context;
  const ofPayouts = unsigned.filter(({ spend }) => spend.kind === "payout");
  const intents = await payouts.intents(db, spendIdsOf(ofPayouts));
  const asked = unsigned.flatMap((one): Asked[] => {
    const intent = intentOf(one, intents.get(one.spend.id) ?? []);
    return intent === null ? [] : [{ ...one, intent }];
  });
  return await Promise.all(
    asked.map(async (one) => {
      const { body, claims } = one.attempt.draft;
      try {
        return { ...one, outcome: await signer.sign({ intent: one.intent, body, claims }) };
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return { ...one, outcome: error };
      }
    }),
  );
}

/** Writes down what was answered, in one transaction. Returns what was refused. */
async function enterAnswers(
  context: SpendContext,
  answers: readonly Answered[],
): Promise<readonly RefusedSpend[]> {
  const { db, clock, listener, logger } = context;
  const told = answers.filter(({ outcome }) => !(outcome instanceof Unavailable));
  if (told.length === 0) return [];
  const bySpend = new Map(told.map((one) => [one.spend.id, one]));
  const now = clock.now();
  const learn = (spend: Spend): Spend => {
    const { outcome, attempt } = present(bySpend.get(spend.id), "what the signer answered");
    if (outcome instanceof Unavailable) return spend;
    if (outcome.kind === "refused")
      return recordRefusal(spend, attempt.number, outcome.reason, now);
    const signed = { txid: outcome.txid, raw: Buffer.from(outcome.raw, "hex") };
    return recordSignature(spend, attempt.number, signed, now);
  };
  const refused = told.flatMap(({ spend: { id, chain }, attempt: { number }, intent, outcome }) => {
    if (outcome instanceof Unavailable || outcome.kind !== "refused") return [];
    const { reason } = outcome;
    logger.error("the signer refused", { chain, spend: id, number, reason });
    const payoutIds = intent.kind === "payout" ? intent.payouts.map((one) => one.payoutId) : [];
    return [{ spendId: id, payoutIds }];
  });
  await db.transaction((tx) => changeSpends(tx, listener, [...bySpend.keys()], learn, now));
  return refused;
}

/**
 * What the signer is asked to make true: what was stored with the spend, so that it is the same however often it is asked. Null
 * where it carries no payout any more: another worker has heard meanwhile that the signer refuses it.
 */
function intentOf(
  { spend: { id, chain, kind, purpose }, attempt: { draft } }: Unsigned,
  carried: readonly ApprovedPayout[],
): SpendIntent | null {
  const common = { spendId: id, chain, feeCeiling: draft.feeUnits.toString() };
  if (kind !== "payout") return { ...purpose, ...common, kind } as SpendIntent;
  // A spend that was adopted keeps what its payouts are signed for, since the database may have lost some of them.
  const kept = purpose["payouts"] as unknown as readonly ApprovedPayout[] | undefined;
  const intents = kept ?? carried;
  return intents.length === 0 ? null : { ...common, kind, payouts: intents };
}

function spendIdsOf(unsigned: readonly Unsigned[]): readonly string[] {
  return unsigned.map(({ spend }) => spend.id);
}
