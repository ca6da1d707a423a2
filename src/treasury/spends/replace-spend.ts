import type { Draft, DraftOutcome, Funds } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { changeSpends } from "./change-spends.ts";
import { removeClaims, takeClaims } from "./claim.store.ts";
import { findFeeCeiling } from "./fee-ceiling.ts";
import { parseNonceClaim } from "./nonce-allocator.ts";
import { quoteSpend } from "./quote-spend.ts";
import { lockSpends, readLastInclusion, readOpenSpends } from "./spend.store.ts";
import { type Attempt, isMinable, liveClaims, type Spend, type SpendRequest } from "./spend.ts";
import type { SpendContext, SpendSettings } from "./spend-context.ts";
import type { SpendListener } from "./spend-listener.ts";
import { addReplacement } from "./spend-transitions.ts";
import { outagesMax, tryEach } from "./try-each.ts";

/** Coins offered beside those of the replaced transaction, where these do not cover the higher fee. */
const furtherCoins = 20;

/** A sweep may become so many times as dear as it was at first, where the operator set no ceiling. */
const timesFirst = 10n;

/**
 * Gives transactions that wait too long another attempt with a higher fee, never above the operator's ceiling. On account
 * chains only the lowest nonce of an account: the others wait for that one. Rejects with `Unavailable`, once all were tried,
 * where the node did not answer for one.
 */
export async function replaceStuck(context: SpendContext, signal: AbortSignal): Promise<void> {
  const { db, chain, clock, settings } = context;
  const candidates = firstPerSender(await readOpenSpends(db, chain));
  await tryEach(
    candidates,
    async (spend) => {
      if (signal.aborted) return;
      const { sender } = spend;
      const movedAt = sender === null ? null : await readLastInclusion(db, chain, sender);
      if (isStuck(spend, movedAt, settings, clock.now()))
        await replaceSpend(context, spend, signal);
    },
    outagesMax,
  );
}

/** Pure: the spends of coins, and of each account the one with the lowest nonce. */
export function firstPerSender(open: readonly Spend[]): readonly Spend[] {
  const lowest = new Map<string, { readonly spend: Spend; readonly nonce: number }>();
  for (const spend of open) {
    const nonce = nonceOf(spend);
    if (spend.sender === null || nonce === null) continue;
    const known = lowest.get(spend.sender);
    if (known === undefined || nonce < known.nonce) lowest.set(spend.sender, { spend, nonce });
  }
  const chosen = new Set([...lowest.values()].map(({ spend }) => spend.id));
  return open.filter(({ sender, id }) => sender === null || chosen.has(id));
}

/** The sender's nonce, which every draft of an account claims first. */
function nonceOf({ attempts }: Spend): number | null {
  const claim = attempts.at(-1)?.draft.claims[0];
  return claim === undefined ? null : (parseNonceClaim(claim)?.nonce ?? null);
}

/** Pure. The wait of an account's spend begins when the account's previous spend entered a block, at `movedAt`. */
export function isStuck(
  spend: Spend,
  movedAt: Instant | null,
  { stuckAfterSeconds, refusedAfterSeconds }: SpendSettings,
  now: Instant,
): boolean {
  const newest = spend.attempts.findLast(({ state }) => state !== "refused");
  const last = spend.attempts.at(-1);
  if (spend.state !== "open") return false;
  if (newest === undefined || last === undefined || !isMinable(newest)) return false;
  // After a replacement that the signer refused, the next one waits as long as after one that is with the network.
  const begunAt = last.firstBroadcastAt ?? last.createdAt;
  const isRefused = newest.firstBroadcastAt === null && newest.refusal !== null;
  const patience = isRefused ? refusedAfterSeconds : stuckAfterSeconds;
  const since = movedAt !== null && movedAt > begunAt ? movedAt : begunAt;
  return secondsBetween(since, now) >= patience;
}

/** Leaves it as it is where what nodes take is above the ceiling, the coins do not suffice, or somebody was first. */
async function replaceSpend(
  context: SpendContext,
  spend: Spend,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, chain, listener, logger } = context;
  const newest = present(spend.attempts.findLast(isMinable), `an attempt of spend ${spend.id}`);
  if (await isRefusedAtMarketFee(context, spend, newest, signal)) return;
  const redrafted = await redraft(context, spend, newest.draft, signal);
  if (redrafted === null) return;
  const { outcome, feeCeiling } = redrafted;
  if (outcome.kind !== "draft") {
    logger.warn("a transaction that waits too long is not replaced", {
      chain,
      spend: spend.id,
      txid: newest.txid,
      outcome: outcome.kind,
      ...(outcome.kind === "impossible" ? { reason: outcome.reason } : {}),
    });
    return;
  }
  const { draft } = outcome;
  assert(draft.feeUnits <= feeCeiling, `a replacement of spend ${spend.id} is too dear`);
  const now = clock.now();
  const isDone = await db.transaction((tx) => enterReplacement(tx, listener, spend, draft, now));
  if (isDone) {
    const feeUnits = draft.feeUnits.toString();
    logger.info("a transaction gets a higher fee", { chain, spend: spend.id, feeUnits });
  }
}

/**
 * A node that refuses what pays the market's fee refuses it for another reason, and a higher fee would be paid for nothing
 * once it changes its mind. What waits as long as one that was taken is replaced all the same.
 */
export async function isRefusedAtMarketFee(
  context: Pick<SpendContext, "clock" | "writer" | "settings">,
  spend: Spend,
  { firstBroadcastAt, createdAt, draft }: Attempt,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, settings } = context;
  const hasWaited = secondsBetween(createdAt, clock.now()) >= settings.stuckAfterSeconds;
  if (firstBroadcastAt !== null || hasWaited || spend.request === null) return false;
  const market = await marketFee(context, spend, spend.request, signal);
  return market !== null && draft.feeUnits >= market;
}

/**
 * What such a transaction would burn if it were made now; null for more than its coins can pay. One of coins is drafted from what it
 * holds, since one that pays many is larger than what a quote is for; of others, and where its coins are not known, a quote is all
 * that there is.
 */
async function marketFee(
  { writer, settings }: Pick<SpendContext, "writer" | "settings">,
  spend: Spend,
  { payments, funds }: SpendRequest,
  signal: AbortSignal,
): Promise<bigint | null> {
  const held = liveClaims(spend);
  const coins = funds.kind === "coins" ? funds.coins.filter(({ claim }) => held.has(claim)) : [];
  if (funds.kind === "account" || coins.length === 0)
    return (await quoteSpend(writer, { payments, funds }, signal)).medium;
  const own = { ...funds, coins };
  const feeCeiling = await findFeeCeiling({ writer, settings }, payments, own, signal);
  const asked = { payments, funds: own, feeTarget: null, feeCeiling, replaces: null };
  const outcome = await writer.draft(asked, signal);
  return outcome.kind === "draft" ? outcome.draft.feeUnits : null;
}

type Redrafted = { readonly outcome: DraftOutcome; readonly feeCeiling: bigint };

/** What was asked of the writer is asked again; what the sweeper made is made dearer. Null where neither can. */
async function redraft(
  context: SpendContext,
  spend: Spend,
  replaces: Draft,
  signal: AbortSignal,
): Promise<Redrafted | null> {
  const { request, attempts, purpose } = spend;
  const { writer, sweeper = null, settings } = context;
  if (request === null) {
    if (sweeper === null) return null;
    const first = attempts[0]?.draft ?? replaces;
    const feeCeiling =
      settings.feeCeiling === null
        ? first.feeUnits * timesFirst
        : settings.feeCeiling * addressesOf(purpose);
    return { feeCeiling, outcome: await sweeper.replace(replaces, feeCeiling, signal) };
  }
  const { payments } = request;
  const funds = await fundsOfReplacement(context, spend, request.funds);
  const feeCeiling = await findFeeCeiling(context, payments, funds, signal);
  const outcome = await writer.draft(
    { payments, funds, feeTarget: null, feeCeiling, replaces },
    signal,
  );
  return { feeCeiling, outcome };
}

/** How many deposit addresses it is about: the operator's ceiling is one for each. */
function addressesOf({ sources, keyIndexes }: Spend["purpose"]): bigint {
  const named = [sources, keyIndexes].find((list) => Array.isArray(list));
  return BigInt(Math.max(named?.length ?? 0, 1));
}

/**
 * On chains of coins, those that the spend holds and free ones. Of what was offered for its first transaction, other spends may
 * have taken since what that one left: a replacement of such a coin could never be entered.
 */
export async function fundsOfReplacement(
  { db, coins }: { readonly db: Executor; readonly coins: SpendContext["coins"] },
  spend: Spend,
  funds: Funds,
): Promise<Funds> {
  if (funds.kind === "account" || coins === null) return funds;
  const held = liveClaims(spend);
  const own = funds.coins.filter(({ claim }) => held.has(claim));
  const free = await coins.spendable(db, furtherCoins);
  return { ...funds, coins: [...own, ...free.filter(({ claim }) => !held.has(claim))] };
}

/** Another attempt, with the claims that it adds. */
async function enterReplacement(
  tx: Executor,
  listener: SpendListener,
  known: Spend,
  draft: Draft,
  now: Instant,
): Promise<boolean> {
  const [spend] = await lockSpends(tx, [known.id]);
  if (spend === undefined || addReplacement(spend, known, draft, now) === spend) return false;
  const held = liveClaims(spend);
  const added = draft.claims.filter((claim) => !held.has(claim));
  const taken = await takeClaims(tx, spend, added);
  if (taken.length < added.length) {
    await removeClaims(tx, spend.id, taken);
    return false;
  }
  await changeSpends(
    tx,
    listener,
    [spend.id],
    (one) => addReplacement(one, known, draft, now),
    now,
  );
  return true;
}
