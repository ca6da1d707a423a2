import { isDeepStrictEqual } from "node:util";
import type { Draft, Funds, SequenceRange } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { ApprovedPayout, SignedSpend, SpendIntent } from "../../signer/intent.ts";
import { changeSpends } from "./change-spends.ts";
import { findClaimOwners, recordClaims, setLiveClaims, takeClaims } from "./claim.store.ts";
import { parseSequenceClaim, sequenceClaimOf } from "./sequence-allocator.ts";
import {
  findSpendsOf,
  insertSpend,
  readSpends,
  reserveSpendId,
  reserveSpendIdsUpTo,
} from "./spend.store.ts";
import { liveClaims, type Spend } from "./spend.ts";
import type { SpendContext } from "./spend-context.ts";
import { adoptAttempt, newAttempt, withdrawUnsigned } from "./spend-transitions.ts";

/**
 * Adopts transactions that the signer has signed and the database does not know: it was restored from a backup, a replica
 * replaced it, or the answer to `sign` was lost. Such a transaction may be mined at any time, so nothing new is drafted on the
 * chain before. Reads the journal after `sequence` and returns the last sequence read.
 */
export async function adoptSigned(
  context: SpendContext,
  sequence: number,
  signal: AbortSignal,
): Promise<number> {
  const { db, chain, signer, logger } = context;
  let last = sequence;
  while (!signal.aborted) {
    const page = await signer.signedSpends(chain, last);
    const known = await findSpendsOf(
      db,
      chain,
      page.map(({ txid }) => txid),
    );
    for (const signed of page) {
      if (!known.has(signed.txid)) {
        const spendId = await db.transaction((tx) => adopt(tx, context, signed));
        const { txid, kind, payoutIds } = signed;
        logger.warn("a signed transaction was adopted", {
          chain,
          txid,
          kind,
          payoutIds,
          spend: spendId,
        });
      }
      last = signed.sequence;
    }
    if (page.length === 0) return last;
  }
  return last;
}

/** Returns the id of the spend that the transaction belongs to. */
async function adopt(tx: Executor, context: SpendContext, signed: SignedSpend): Promise<string> {
  const now = context.clock.now();
  const payoutIds = [...(await context.payouts.existing(tx, payoutsOf(signed)))];
  const same = await findSame(tx, signed);
  await dropRivals(tx, context, signed, { payoutIds, same }, now);
  const draft: Draft = {
    body: signed.body,
    claims: signed.claims,
    feeUnits: BigInt(signed.feeUnits),
    validity: signed.validity ?? null,
  };
  const signature = { txid: signed.txid, raw: Buffer.from(signed.raw, "hex") };
  const spendId = same?.id ?? (await idFor(tx, signed));
  if (same === null) {
    const spend = await composeSpend(tx, context, signed, payoutIds, now);
    const attempt = { ...newAttempt(1, draft, now), ...signature, state: "signed" as const };
    await insertSpend(tx, { ...spend, id: spendId, attempts: [attempt] });
  }
  // A claim held by another signed spend stays with that one: the chain takes only one of the two.
  await takeClaims(tx, { chain: signed.chain, id: spendId }, signed.claims);
  await recordClaims(tx, { chain: signed.chain, id: spendId }, signed.claims);
  await changeSpends(
    tx,
    context.listener,
    [spendId],
    (spend) => adoptAttempt(spend, draft, signature, now),
    now,
  );
  const [spend] = await readSpends(tx, [spendId]);
  // A finished spend no longer needs its claims. They stay on record for a reorg that reopens it.
  if (spend !== undefined) await setLiveClaims(tx, spendId, [...liveClaims(spend)]);
  if (spend?.state === "open") await context.listener.adopted(tx, spend, payoutIds, now);
  return spendId;
}

function payoutsOf({ intent }: SignedSpend): readonly ApprovedPayout[] {
  return intent.kind === "payout" ? intent.payouts : [];
}

/**
 * The spend that the transaction is an attempt of: same id, chain and kind, and a claim in common or, without claims, the same
 * draft. Null if the database has lost it.
 */
async function findSame(tx: Executor, signed: SignedSpend): Promise<Spend | null> {
  if (!isObjectId(signed.spendId)) return null;
  const [spend] = await readSpends(tx, [signed.spendId]);
  if (spend === undefined || spend.chain !== signed.chain || spend.kind !== signed.kind)
    return null;
  const claims = new Set(spend.attempts.flatMap(({ draft }) => draft.claims));
  const isSame =
    signed.claims.length === 0
      ? spend.attempts.some(({ draft }) => isDeepStrictEqual(draft.body, signed.body))
      : signed.claims.some((claim) => claims.has(claim));
  return isSame ? spend : null;
}

/**
 * Drops what a database that had forgotten this spend started instead, with the same claims or for the same payouts, unless it
 * was signed. Anything signed for the same payouts shares a claim with this transaction: the signer signs nothing else, and
 * nothing at all beside a transaction without claims.
 */
async function dropRivals(
  tx: Executor,
  { payouts, listener }: SpendContext,
  { chain, claims }: SignedSpend,
  known: { readonly payoutIds: readonly string[]; readonly same: Spend | null },
  now: Instant,
): Promise<void> {
  const owners = await findClaimOwners(tx, chain, claims);
  const carriers = await payouts.carriers(tx, known.payoutIds);
  const rivals = new Set([...owners.values(), ...carriers.values()]);
  if (known.same !== null) rivals.delete(known.same.id);
  await changeSpends(tx, listener, [...rivals], (spend) => withdrawUnsigned(spend, now), now);
}

async function composeSpend(
  tx: Executor,
  context: SpendContext,
  signed: SignedSpend,
  payoutIds: readonly string[],
  now: Instant,
): Promise<Omit<Spend, "attempts" | "id">> {
  const { chain, writer, logger } = context;
  const claim = sequenceClaimOf(signed.claims);
  const sender = signed.sender ?? claim?.sender ?? null;
  const payouts = payoutsOf(signed);
  const paid = payouts.map(context.payouts.paymentOf).filter((payment) => payment !== null);
  const funds: Funds | null =
    sender === null
      ? await coinFunds(tx, context, now)
      : { kind: "account", address: sender, ...rangeOf(signed.claims, sender) };
  const lost = payouts.filter(({ payoutId }) => !payoutIds.includes(payoutId));
  if (lost.length > 0) {
    // The log is the only record by which their payers can be informed.
    const details = lost.map(({ payoutId, address, tag, currency, units }) => ({
      payoutId,
      address,
      tag,
      currency,
      units,
    }));
    logger.error("the database has lost payouts that are signed", {
      chain,
      txid: signed.txid,
      payouts: details,
    });
  }
  // The journal does not contain what sweeps were drafted from, and a payment that cannot be decoded cannot be drafted again.
  const isKnown =
    (signed.kind === "payout" || signed.kind === "gap") && paid.length === payouts.length;
  return {
    chain,
    kind: signed.kind,
    state: "open",
    purpose: purposeOf(signed.intent, payoutIds),
    leaves: leavesOf(context, signed.intent, lost),
    sender,
    request:
      isKnown && funds !== null ? { payments: paid.map(({ payment }) => payment), funds } : null,
    feeCurrency: writer.coin,
    confirmations: Math.max(
      context.coinConfirmations,
      ...paid.map((payout) => payout.confirmations),
    ),
    inclusion: null,
    dueHeight: null,
    expiredBy: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The sequence numbers that the transaction claims. */
function rangeOf(claims: readonly string[], sender: string): SequenceRange {
  const numbers = claims.flatMap((claim) => parseSequenceClaim(claim)?.sequence ?? []);
  const [sequence = null] = numbers;
  const through = numbers.at(-1);
  const owner = sequenceClaimOf(claims)?.sender ?? sender;
  return {
    sequence,
    ...(through === undefined || through === sequence ? {} : { through }),
    ...(owner === sender ? {} : { lender: owner }),
  };
}

async function coinFunds(
  tx: Executor,
  { coins }: SpendContext,
  now: Instant,
): Promise<Funds | null> {
  return coins === null
    ? null
    : { kind: "coins", coins: [], change: await coins.nextChange(tx, now) };
}

/** The most spends that can have been signed since the newest backup. An id further ahead was issued by no database. */
const idsLostMax = 10_000_000n;

/**
 * The id that the signer knows the spend by, since the signer ties attempts together by it. Another id if that one is taken or
 * not ours; later ids continue above it.
 */
async function idFor(tx: Executor, { spendId }: SignedSpend): Promise<string> {
  const next = await reserveSpendId(tx);
  if (!isObjectId(spendId) || BigInt(spendId) - BigInt(next) > idsLostMax) return next;
  const taken = await readSpends(tx, [spendId]);
  if (taken.length > 0) return next;
  await reserveSpendIdsUpTo(tx, spendId);
  return spendId;
}

const commonMembers = new Set(["spendId", "chain", "feeCeiling", "kind"]);

/**
 * The intent's own members. For payouts also the ids that the database knows, since the others are lost and could later denote
 * other payouts.
 */
function purposeOf(intent: SpendIntent, payoutIds: readonly string[]): JsonObject {
  const own: readonly (readonly [string, JsonValue])[] = Object.entries(intent).filter(
    ([name]) => !commonMembers.has(name),
  );
  return { ...Object.fromEntries(own), ...(intent.kind === "payout" ? { payoutIds } : {}) };
}

/**
 * Payments that nothing else books: funds for the cold address, and payments of payouts that the database has lost. The operator
 * bears these until an operator has decided.
 */
function leavesOf(
  { currencyOf }: SpendContext,
  intent: SpendIntent,
  lost: readonly ApprovedPayout[],
): Spend["leaves"] {
  if (intent.kind === "cold") {
    const currency = currencyOf(intent.asset);
    return currency === null ? null : { units: BigInt(intent.units), currency };
  }
  const [first] = lost;
  const currency = first === undefined ? null : currencyOf(first.asset);
  if (currency === null) return null;
  return { units: lost.reduce((sum, { units }) => sum + BigInt(units), 0n), currency };
}
