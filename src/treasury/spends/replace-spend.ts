import type { Draft, DraftOutcome, Funds } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { hasEndedBy } from "../../platform/kernel/validity.ts";
import { readTip } from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { removeClaims, takeClaims } from "./claim.store.ts";
import { findFeeCeiling } from "./fee-ceiling.ts";
import { quoteSpend } from "./quote-spend.ts";
import { parseSequenceClaim } from "./sequence-allocator.ts";
import { lockSpends, readLastInclusion, readOpenSpends } from "./spend.store.ts";
import { type Attempt, isMinable, liveClaims, type Spend, type SpendRequest } from "./spend.ts";
import type { SpendContext, SpendSettings } from "./spend-context.ts";
import type { SpendListener } from "./spend-listener.ts";
import { addReplacement } from "./spend-transitions.ts";
import { outagesMax, tryEach } from "./try-each.ts";

type ReplaceContext = Pick<
  SpendContext,
  "chain" | "clock" | "coins" | "db" | "listener" | "logger" | "settings" | "sweeper" | "writer"
>;

/** Coins offered in addition to those of the replaced transaction, if these do not cover the higher fee. */
const furtherCoins = 20;

/** Without a configured ceiling, a sweep may cost this many times its first fee. */
const timesFirst = 10n;

/** A spend whose transactions expired so often is not drafted again: the network does not want it. About an hour on most chains. */
const expiredMax = 6;

/**
 * Replaces stuck transactions by attempts with a higher fee, up to the operator's ceiling, and expired ones by attempts that are
 * valid again. On account chains a higher fee is for the lowest sequence number of an account only, since the others wait for that one. Rejects with `Unavailable`, after trying all, if the node did not
 * respond for one of them.
 * Adds to `irreplaceable` the ids of the expired spends that could not be drafted again: only those may end.
 */
export async function replaceStuck(
  context: ReplaceContext,
  signal: AbortSignal,
  irreplaceable: Set<string>,
): Promise<void> {
  const { db, chain, clock } = context;
  const open = await readOpenSpends(db, chain);
  const first = new Set(firstPerSender(open));
  const tip = await readTip(db, chain);
  await tryEach(
    open,
    async (spend) => {
      if (signal.aborted) return;
      const { sender } = spend;
      const now = clock.now();
      if (expires(spend)) {
        if (tip === null || !mayReplaceExpired(context, spend, tip, now)) return;
        if (!(await replaceSpend(context, spend, signal))) irreplaceable.add(spend.id);
      } else if (first.has(spend)) {
        const movedAt = sender === null ? null : await readLastInclusion(db, chain, sender);
        if (isStuck(spend, movedAt, context.settings, now))
          await replaceSpend(context, spend, signal);
      }
    },
    outagesMax,
  );
}

/** Whether another transaction is to take the place of the spend's newest one, which expired by that block. */
export function mayReplaceExpired(
  { writer, settings }: Pick<SpendContext, "writer" | "settings">,
  spend: Spend,
  block: { readonly height: number; readonly time: Instant },
  now: Instant,
): boolean {
  // Where the chain forgets which numbers were used, only the proof that the first transaction expired rules it out.
  return writer.account?.numbersOnce !== true && isExpired(spend, settings, block, now);
}

/**
 * All spends of coins, and the spend with the lowest sequence number of each account. Others claim nothing: a replacement could
 * be mined beside what it replaces. Pure.
 */
export function firstPerSender(open: readonly Spend[]): readonly Spend[] {
  const lowest = new Map<string, { readonly spend: Spend; readonly sequence: bigint }>();
  for (const spend of open) {
    const sequence = sequenceOf(spend);
    if (spend.sender === null || sequence === null) continue;
    const known = lowest.get(spend.sender);
    if (known === undefined || sequence < known.sequence)
      lowest.set(spend.sender, { spend, sequence });
  }
  const chosen = new Set([...lowest.values()].map(({ spend }) => spend.id));
  return open.filter(({ sender, id }) => sender === null || chosen.has(id));
}

/** The sender's sequence number, which is the first claim of every account draft that has one. */
function sequenceOf({ attempts }: Spend): bigint | null {
  const claim = attempts.at(-1)?.draft.claims[0];
  return claim === undefined ? null : (parseSequenceClaim(claim)?.sequence ?? null);
}

/**
 * Whether a spend has waited too long. An account's spend waits since the account's previous spend got into a block, at
 * `movedAt`. Pure.
 */
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
  // After the signer refused a replacement, the next one waits as long as after a broadcast replacement.
  const begunAt = last.firstBroadcastAt ?? last.createdAt;
  const isRefused = newest.firstBroadcastAt === null && newest.refusal !== null;
  const patience = isRefused ? refusedAfterSeconds : stuckAfterSeconds;
  const since = movedAt !== null && movedAt > begunAt ? movedAt : begunAt;
  return secondsBetween(since, now) >= patience;
}

/** Whether its newest transaction expires: then it waits for a block until it has expired, and not longer. */
function expires({ attempts }: Spend): boolean {
  const newest = attempts.findLast(isMinable);
  return newest !== undefined && newest.draft.validity !== null;
}

/**
 * Whether no block after this one may contain its newest transaction, which claims something: another one with the same claims can
 * take its place, and a reorg may mine either. After the signer refused one, the next waits as long as after a refused broadcast. Pure.
 */
export function isExpired(
  { attempts, state }: Spend,
  { refusedAfterSeconds }: Pick<SpendSettings, "refusedAfterSeconds">,
  block: { readonly height: number; readonly time: Instant },
  now: Instant,
): boolean {
  const newest = attempts.findLast((attempt) => attempt.state !== "refused");
  const last = attempts.at(-1);
  if (state !== "open" || last === undefined || newest === undefined || !isMinable(newest))
    return false;
  const { claims, validity } = newest.draft;
  if (validity === null || claims.length === 0 || !hasEndedBy(validity, block)) return false;
  if (attempts.filter(isMinable).length >= expiredMax) return false;
  return last === newest || secondsBetween(last.createdAt, now) >= refusedAfterSeconds;
}

/** False, and nothing changed, if the required fee exceeds the ceiling, the coins do not suffice, or another worker was first. */
async function replaceSpend(
  context: ReplaceContext,
  spend: Spend,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, clock, chain, listener, logger } = context;
  const newest = present(spend.attempts.findLast(isMinable), `an attempt of spend ${spend.id}`);
  if (
    newest.draft.validity === null &&
    (await isRefusedAtMarketFee(context, spend, newest, signal))
  )
    return false;
  const redrafted = await redraft(context, spend, newest.draft, signal);
  if (redrafted === null) return false;
  const { outcome, feeCeiling } = redrafted;
  if (outcome.kind !== "draft") {
    logger.warn("a stuck transaction is not replaced", {
      chain,
      spend: spend.id,
      txid: newest.txid,
      outcome: outcome.kind,
      ...(outcome.kind === "impossible" ? { reason: outcome.reason } : {}),
    });
    return false;
  }
  const { draft } = outcome;
  assert(
    draft.feeUnits <= feeCeiling,
    `a replacement of spend ${spend.id} exceeds the fee ceiling`,
  );
  const now = clock.now();
  const isReplaced = await db.transaction((tx) =>
    recordReplacement(tx, listener, spend, draft, now),
  );
  if (isReplaced) {
    const feeUnits = draft.feeUnits.toString();
    const message =
      newest.draft.validity === null
        ? "a transaction gets a higher fee"
        : "a transaction expired and is drafted again";
    logger.info(message, { chain, spend: spend.id, feeUnits });
  }
  return isReplaced;
}

/**
 * Whether the node refuses a transaction that pays the market's fee. Then it has another reason, and a higher fee would be
 * wasted once it changes its mind. After the normal waiting time the transaction is replaced anyway.
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
 * What such a transaction would burn if it were made now; null if its coins cannot pay that. A transaction of coins is drafted
 * from the coins it holds, since one with many payments is larger than a quote assumes; others, and those with unknown coins,
 * are quoted.
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
  const request = { payments, funds: own, feeTarget: null, feeCeiling, replaces: null };
  const outcome = await writer.draft(request, signal);
  return outcome.kind === "draft" ? outcome.draft.feeUnits : null;
}

type Redrafted = { readonly outcome: DraftOutcome; readonly feeCeiling: bigint };

/** Drafts the same request again, or lets the sweeper raise the fee of its transaction. Null if neither is possible. */
async function redraft(
  context: ReplaceContext,
  spend: Spend,
  replaces: Draft,
  signal: AbortSignal,
): Promise<Redrafted | null> {
  const { request, attempts, purpose } = spend;
  const { writer, sweeper = null, settings } = context;
  if (request === null) {
    const replace = sweeper?.replace ?? null;
    // Of a transaction that only its chain knows, nothing is known that could be raised.
    if (replace === null || Object.keys(replaces.body).length === 0) return null;
    const first = attempts[0]?.draft ?? replaces;
    const feeCeiling =
      settings.feeCeiling === null
        ? first.feeUnits * timesFirst
        : settings.feeCeiling * addressesOf(purpose);
    return { feeCeiling, outcome: await replace(replaces, feeCeiling, signal) };
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

/** The number of deposit addresses involved; the operator's ceiling applies to each. */
function addressesOf({ sources, keyIndexes }: Spend["purpose"]): bigint {
  const named = [sources, keyIndexes].find((list) => Array.isArray(list));
  return BigInt(Math.max(named?.length ?? 0, 1));
}

/**
 * On UTXO chains, the coins that the spend holds and free ones. Other spends may since have taken coins that were offered to
 * its first transaction and left unused; a replacement with such a coin could not be recorded.
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

/** Adds the attempt and its additional claims. */
async function recordReplacement(
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
    (locked) => addReplacement(locked, known, draft, now),
    now,
  );
  return true;
}
