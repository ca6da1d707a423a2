import { isDeepStrictEqual } from "node:util";
import type { Draft } from "../../chains/paying-port.ts";
import type { PaymentDelivery, PaymentOutcome, TokenDelivery } from "../../chains/port.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Money } from "../../platform/kernel/money.ts";
import type { Validity } from "../../platform/kernel/validity.ts";
import { type Attempt, holdsClaims, type Inclusion, isMinable, type Spend } from "./spend.ts";

/*
 * The transitions of a spend. Pure; the caller holds the lock on the spend's row (`change-spends.ts`). Each returns the same
 * object if the transition is not possible (any more): then another process was first.
 */

/** From here on the signer may have signed the attempt; commit it before asking the signer. */
export function startSigning(spend: Spend, number: number, now: Instant): Spend {
  return change(spend, number, ["drafted"], now, (attempt) => ({ ...attempt, state: "signing" }));
}

/** Records the signer's signature. */
export function recordSignature(
  spend: Spend,
  number: number,
  signed: { readonly txid: string; readonly raw: Uint8Array },
  now: Instant,
): Spend {
  assert(signed.raw.length > 0, `spend ${spend.id} was signed with empty bytes`);
  return change(spend, number, ["signing"], now, (attempt) => ({
    ...attempt,
    ...signed,
    state: "signed",
  }));
}

/**
 * Records that the signer refused the attempt and stored nothing. A spend of which nothing was ever signed is dropped with its
 * first attempt.
 */
export function recordRefusal(spend: Spend, number: number, refusal: string, now: Instant): Spend {
  const refused = change(spend, number, ["drafted", "signing"], now, (attempt) => ({
    ...attempt,
    refusal,
    state: "refused",
  }));
  const isOver = refused.attempts.every(({ state }) => state === "refused");
  return refused !== spend && isOver ? { ...refused, state: "dropped" } : refused;
}

const withdrawn = "withdrawn";

/** Why a spend was dropped, in the signer's words; null if we withdrew it ourselves. */
export function refusalOf(spend: Spend): string | null {
  const refusal = spend.attempts.findLast(({ state }) => state === "refused")?.refusal ?? null;
  return refusal === withdrawn ? null : refusal;
}

/** Gives up a spend that the signer has not seen. */
export function withdraw(spend: Spend, now: Instant): Spend {
  if (spend.state !== "open") return spend;
  if (spend.attempts.some(({ state }) => state !== "drafted")) return spend;
  const attempts = spend.attempts.map(
    (attempt): Attempt => ({
      ...attempt,
      state: "refused",
      refusal: withdrawn,
      updatedAt: now,
    }),
  );
  return { ...spend, attempts, state: "dropped", updatedAt: now };
}

/** The same even if the signer was asked: its journal, which was read, has nothing of this spend. For adoption only. */
export function withdrawUnsigned(spend: Spend, now: Instant): Spend {
  if (spend.state !== "open" || spend.attempts.some(({ raw }) => raw !== null)) return spend;
  const drafted = spend.attempts.map(
    (attempt): Attempt =>
      attempt.state === "signing" ? { ...attempt, state: "drafted" } : attempt,
  );
  return withdraw({ ...spend, attempts: drafted }, now);
}

/**
 * Adds signed bytes from the signer's journal that we do not have: of the attempt with that draft, or of a forgotten one. They
 * may be mined at any time, so a dropped spend is opened again.
 */
export function adoptAttempt(
  spend: Spend,
  draft: Draft,
  signed: { readonly txid: string; readonly raw: Uint8Array },
  now: Instant,
): Spend {
  if (spend.attempts.some(({ txid }) => txid === signed.txid)) return spend;
  // A transaction that was not known when the others expired may still be valid.
  const isOver =
    spend.state === "confirmed" ||
    spend.state === "failed" ||
    (spend.state === "dead" && spend.expiredBy === null);
  const state = isOver ? "dead" : "signed";
  const unsigned = spend.attempts.find(
    ({ raw, draft: own }) => raw === null && isSameDraft(own, draft),
  );
  const adopted: Attempt = {
    ...(unsigned ?? newAttempt(spend.attempts.length + 1, draft, now)),
    ...signed,
    state,
    refusal: null,
    updatedAt: now,
  };
  const changed =
    unsigned === undefined
      ? { ...spend, attempts: [...spend.attempts, adopted] }
      : replaceAttempt(spend, adopted);
  const isReopened = spend.state === "dropped" || (spend.state === "dead" && !isOver);
  return {
    ...changed,
    state: isReopened ? "open" : spend.state,
    expiredBy: isReopened ? null : spend.expiredBy,
    updatedAt: now,
  };
}

function isSameDraft(a: Draft, b: Draft): boolean {
  return isDeepStrictEqual(a.body, b.body) && isDeepStrictEqual(a.claims, b.claims);
}

/** The node accepted the transaction, or had it already. */
export function recordBroadcast(spend: Spend, number: number, now: Instant): Spend {
  return change(spend, number, ["signed", "broadcast"], now, (attempt) => ({
    ...attempt,
    state: "broadcast",
    broadcasts: attempt.broadcasts + 1,
    refusal: null,
    firstBroadcastAt: attempt.firstBroadcastAt ?? now,
    lastBroadcastAt: now,
  }));
}

/** The node refused the transaction. That ends nothing: the node may lag, or accept it later. */
export function recordRejection(
  spend: Spend,
  number: number,
  refusal: string,
  now: Instant,
): Spend {
  return change(spend, number, ["signed", "broadcast"], now, (attempt) => ({
    ...attempt,
    refusal,
    broadcasts: attempt.broadcasts + 1,
    lastBroadcastAt: now,
  }));
}

/**
 * Adds a replacement, which claims everything that the earlier attempts claim, so that the chain can take only one. No change
 * if the spend is in a block by now, or another replacement came first.
 */
export function addReplacement(spend: Spend, known: Spend, draft: Draft, now: Instant): Spend {
  const isSigned = spend.attempts.every(
    (attempt) => isMinable(attempt) || attempt.state === "refused",
  );
  const isAsKnown = spend.attempts.length === known.attempts.length;
  if (spend.state !== "open" || !isAsKnown || !isSigned) return spend;
  assert(
    draft.claims.length > 0,
    `a replacement of spend ${spend.id} claims nothing: both could be mined`,
  );
  const missing = spend.attempts
    .filter(isMinable)
    .flatMap((attempt) => attempt.draft.claims)
    .filter((claim) => !draft.claims.includes(claim));
  assert(
    missing.length === 0,
    `a replacement of spend ${spend.id} lacks the claims ${missing.join(", ")}`,
  );
  const attempt = newAttempt(spend.attempts.length + 1, draft, now);
  return { ...spend, attempts: [...spend.attempts, attempt], updatedAt: now };
}

/** An attempt of which nothing is signed yet. */
export function newAttempt(number: number, draft: Draft, now: Instant): Attempt {
  return {
    number,
    draft,
    state: "drafted",
    txid: null,
    raw: null,
    broadcasts: 0,
    refusal: null,
    firstBroadcastAt: null,
    lastBroadcastAt: null,
    checkedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** A block of the best chain that contains one of the spend's transactions. */
export type Mined = {
  readonly txid: string;
  readonly height: number;
  readonly hash: string;
  readonly hasSucceeded: boolean;
  /** Null if the draft's fee is exact. */
  readonly feeUnits: bigint | null;
  readonly delivery?: TokenDelivery;
  readonly payments?: readonly PaymentOutcome[];
  readonly deliveries?: readonly PaymentDelivery[];
  readonly lost?: readonly Money[];
};

/** Records that a block contains the transaction. Idempotent; a second block on the same chain is a bug of the caller. */
export function recordInclusion(spend: Spend, mined: Mined, now: Instant): Spend {
  if (spend.inclusion !== null) {
    const { hash } = spend.inclusion;
    assert(hash === mined.hash, `spend ${spend.id} is in blocks ${hash} and ${mined.hash}`);
    return spend;
  }
  if (spend.state !== "open") return spend;
  const attempt = spend.attempts.find(({ txid }) => txid === mined.txid);
  if (attempt === undefined || !isMinable(attempt)) return spend;
  return {
    ...replaceAttempt(spend, { ...attempt, state: "mined", updatedAt: now }),
    inclusion: inclusionOf(attempt, mined),
    state: "included",
    updatedAt: now,
    dueHeight: mined.height + spend.confirmations - 1,
  };
}

/** The result of an attempt in a block. */
export function inclusionOf({ number, draft }: Attempt, mined: Mined): Inclusion {
  return {
    attempt: number,
    height: mined.height,
    hash: mined.hash,
    burntUnits: mined.feeUnits ?? draft.feeUnits,
    // A token transfer that delivered nothing paid no one, whatever the receipt reports; one that delivered anything did.
    hasSucceeded: mined.hasSucceeded && mined.delivery?.receivedUnits !== 0n,
    delivery: mined.delivery ?? null,
    ...(mined.payments === undefined ? {} : { payments: mined.payments }),
    ...(mined.deliveries === undefined ? {} : { deliveries: mined.deliveries }),
    lost: mined.lost ?? [],
  };
}

/**
 * A foreign transaction used a claim and makes the same payments, which is as good as ours. It becomes an attempt without bytes
 * to broadcast. `like`: the attempt whose draft describes it; the newest one if that is not known.
 */
export function recordEquivalent(
  spend: Spend,
  mined: Mined,
  now: Instant,
  like: Attempt | null = null,
): Spend {
  if (spend.state !== "open" || spend.attempts.some(({ txid }) => txid === mined.txid)) {
    return recordInclusion(spend, mined, now);
  }
  const { draft } = like ?? present(spend.attempts.at(-1), `an attempt of spend ${spend.id}`);
  const twin: Attempt = {
    ...newAttempt(spend.attempts.length + 1, draft, now),
    state: "broadcast",
    txid: mined.txid,
    raw: new Uint8Array(),
  };
  return recordInclusion({ ...spend, attempts: [...spend.attempts, twin] }, mined, now);
}

/**
 * The block left the best chain: everything signed may be mined again, even what was dead. Also if it was the block that proved
 * that the transactions had expired.
 */
export function recordReorg(spend: Spend, hash: string, now: Instant): Spend {
  if ((spend.inclusion ?? spend.expiredBy)?.hash !== hash) return spend;
  const attempts = spend.attempts.map(
    (attempt): Attempt =>
      attempt.state === "mined" || attempt.state === "dead"
        ? { ...attempt, state: "broadcast", updatedAt: now }
        : attempt,
  );
  return {
    ...spend,
    attempts,
    state: "open",
    inclusion: null,
    expiredBy: null,
    dueHeight: null,
    updatedAt: now,
  };
}

/**
 * The best chain reached `tipHeight`, or its network locked it up to `lockedHeight`: at the confirmation count, or in a locked block,
 * the spend and its other attempts are final.
 */
export function finalize(
  spend: Spend,
  tipHeight: number,
  now: Instant,
  lockedHeight: number | null = null,
): Spend {
  const { inclusion, dueHeight } = spend;
  if (spend.state !== "included" || inclusion === null) return spend;
  const isLocked = lockedHeight !== null && inclusion.height <= lockedHeight;
  if (dueHeight === null || (dueHeight > tipHeight && !isLocked)) return spend;
  const attempts = spend.attempts.map((attempt) =>
    retireUnmined(attempt, "another was mined", now),
  );
  const state = inclusion.hasSucceeded ? "confirmed" : "failed";
  return { ...spend, attempts, state, dueHeight: null, updatedAt: now };
}

/** Something else has used what all of its transactions need; it can never be mined. */
export function markDead(spend: Spend, now: Instant): Spend {
  if (spend.state !== "open") return spend;
  const attempts = spend.attempts.map((attempt) => retireUnmined(attempt, "a claim was used", now));
  return { ...spend, attempts, state: "dead", updatedAt: now };
}

/**
 * Every signed transaction had expired by that final block, and no block up to it contains one. No change if another one may be
 * signed yet.
 */
export function markExpired(
  spend: Spend,
  block: { readonly height: number; readonly hash: string },
  now: Instant,
): Spend {
  if (spend.state !== "open" || expiriesOf(spend) === null) return spend;
  const attempts = spend.attempts.map((attempt) => retireUnmined(attempt, "expired", now));
  return { ...spend, attempts, state: "dead", expiredBy: block, updatedAt: now };
}

/** The validities of all transactions of the spend; null if one of them never expires, or one may still be signed. */
export function expiriesOf({ attempts }: Pick<Spend, "attempts">): readonly Validity[] | null {
  const held = attempts.filter(holdsClaims);
  const validities = held.flatMap(({ draft }) => draft.validity ?? []);
  return held.length > 0 && held.every(isMinable) && validities.length === held.length
    ? validities
    : null;
}

function retireUnmined(attempt: Attempt, refusal: string, now: Instant): Attempt {
  if (attempt.state === "mined" || attempt.state === "refused") return attempt;
  return attempt.raw === null
    ? { ...attempt, state: "refused", refusal, updatedAt: now }
    : { ...attempt, state: "dead", updatedAt: now };
}

function change(
  spend: Spend,
  number: number,
  from: readonly Attempt["state"][],
  now: Instant,
  to: (attempt: Attempt) => Attempt,
): Spend {
  const attempt = spend.attempts.find((candidate) => candidate.number === number);
  if (spend.state !== "open" || attempt === undefined || !from.includes(attempt.state)) {
    return spend;
  }
  const changed = replaceAttempt(spend, { ...to(attempt), updatedAt: now });
  return { ...changed, updatedAt: now };
}

function replaceAttempt(spend: Spend, changed: Attempt): Spend {
  const attempts = spend.attempts.map((attempt) =>
    attempt.number === changed.number ? changed : attempt,
  );
  return { ...spend, attempts };
}
