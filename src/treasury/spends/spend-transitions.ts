import { isDeepStrictEqual } from "node:util";
import type { Draft } from "../../chains/paying-port.ts";
import type { TokenDelivery } from "../../chains/port.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Money } from "../../platform/kernel/money.ts";
import { type Attempt, type Inclusion, isMinable, type Spend } from "./spend.ts";

/*
 * What becomes of a spend by each thing that can happen to it. Pure; the spend's row is locked meanwhile (`change-spends.ts`).
 * Each answers the same spend, by identity, where that cannot happen to it (any more): then somebody else was first.
 */

/** From here on the signer may have signed it: commits before the signer is asked. */
export function startSigning(spend: Spend, number: number, now: Instant): Spend {
  return change(spend, number, ["drafted"], now, (attempt) => ({ ...attempt, state: "signing" }));
}

/** The signer's answer. */
export function recordSignature(
  spend: Spend,
  number: number,
  signed: { readonly txid: string; readonly raw: Uint8Array },
  now: Instant,
): Spend {
  assert(signed.raw.length > 0, `spend ${spend.id} was signed as nothing`);
  return change(spend, number, ["signing"], now, (attempt) => ({
    ...attempt,
    ...signed,
    state: "signed",
  }));
}

/** The signer refuses, and keeps nothing of it. A spend of which nothing was ever signed is dropped with its first attempt. */
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

/** Why a dropped spend was dropped, in the signer's words; null where we withdrew it ourselves. */
export function refusalOf(spend: Spend): string | null {
  const refusal = spend.attempts.findLast(({ state }) => state === "refused")?.refusal ?? null;
  return refusal === withdrawn ? null : refusal;
}

/** Gives up a spend that the signer was never asked about; the same spend where it was. */
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

/**
 * As `withdraw`, also where the signer was asked: its journal, which was read, has nothing of this spend. For adoption only.
 */
export function withdrawUnsigned(spend: Spend, now: Instant): Spend {
  if (spend.state !== "open" || spend.attempts.some(({ raw }) => raw !== null)) return spend;
  const drafted = spend.attempts.map(
    (attempt): Attempt =>
      attempt.state === "signing" ? { ...attempt, state: "drafted" } : attempt,
  );
  return withdraw({ ...spend, attempts: drafted }, now);
}

/**
 * The signer's journal has signed bytes of the spend that we have not: of the attempt with that draft, or of one that was
 * forgotten. They may be mined any time, so that a spend given up is one again.
 */
export function adoptAttempt(
  spend: Spend,
  draft: Draft,
  signed: { readonly txid: string; readonly raw: Uint8Array },
  now: Instant,
): Spend {
  if (spend.attempts.some(({ txid }) => txid === signed.txid)) return spend;
  const isOver = spend.state === "confirmed" || spend.state === "failed" || spend.state === "dead";
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
  return { ...changed, state: spend.state === "dropped" ? "open" : spend.state, updatedAt: now };
}

function isSameDraft(one: Draft, other: Draft): boolean {
  return isDeepStrictEqual(one.body, other.body) && isDeepStrictEqual(one.claims, other.claims);
}

/** The node took it, or had it. */
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

/** The node would not have it, which kills nothing: it may have an older node's view, or take it later. */
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
 * Another transaction for the same: it claims all that every earlier one claims, so that the chain can take one only. The
 * same spend where it is in a block by now, or where another replacement came first.
 */
export function addReplacement(spend: Spend, known: Spend, draft: Draft, now: Instant): Spend {
  const isSigned = spend.attempts.every(
    (attempt) => isMinable(attempt) || attempt.state === "refused",
  );
  const isAsKnown = spend.attempts.length === known.attempts.length;
  if (spend.state !== "open" || !isAsKnown || !isSigned) return spend;
  const missing = spend.attempts
    .filter(isMinable)
    .flatMap((attempt) => attempt.draft.claims)
    .filter((claim) => !draft.claims.includes(claim));
  assert(missing.length === 0, `a replacement of spend ${spend.id} leaves ${missing.join(", ")}`);
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

/** A block of the best chain with one of the spend's transactions in it. */
export type Mined = {
  readonly txid: string;
  readonly height: number;
  readonly hash: string;
  readonly hasSucceeded: boolean;
  /** Null where the draft says it exactly. */
  readonly feeUnits: bigint | null;
  readonly delivery?: TokenDelivery;
  readonly lost?: readonly Money[];
};

/** A block has it. Told again, it changes nothing; two blocks of one chain that have it are a bug of whoever tells. */
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

/** What a block made of an attempt of ours. */
export function inclusionOf({ number, draft }: Attempt, mined: Mined): Inclusion {
  return {
    attempt: number,
    height: mined.height,
    hash: mined.hash,
    burntUnits: mined.feeUnits ?? draft.feeUnits,
    // What brought its receiver nothing paid nobody, whatever the receipt calls it; what brought him anything did.
    hasSucceeded: mined.hasSucceeded && mined.delivery?.arrivedUnits !== 0n,
    delivery: mined.delivery ?? null,
    lost: mined.lost ?? [],
  };
}

/**
 * A transaction that is not ours has used a claim and makes the same payments: as good as ours. It joins the attempts, with
 * no bytes to send.
 */
export function recordEquivalent(spend: Spend, mined: Mined, now: Instant): Spend {
  if (spend.state !== "open" || spend.attempts.some(({ txid }) => txid === mined.txid)) {
    return recordInclusion(spend, mined, now);
  }
  const newest = present(spend.attempts.at(-1), `an attempt of spend ${spend.id}`);
  const twin: Attempt = {
    ...newAttempt(spend.attempts.length + 1, newest.draft, now),
    state: "broadcast",
    txid: mined.txid,
    raw: new Uint8Array(),
  };
  return recordInclusion({ ...spend, attempts: [...spend.attempts, twin] }, mined, now);
}

/** The block left the best chain: everything signed may be mined again, also what a deeper look had called dead. */
export function recordReorg(spend: Spend, hash: string, now: Instant): Spend {
  if (spend.inclusion?.hash !== hash) return spend;
  const attempts = spend.attempts.map(
    (attempt): Attempt =>
      attempt.state === "mined" || attempt.state === "dead"
        ? { ...attempt, state: "broadcast", updatedAt: now }
        : attempt,
  );
  return { ...spend, attempts, state: "open", inclusion: null, dueHeight: null, updatedAt: now };
}

/** The best chain has reached `tipHeight`: at the currency's own count it is over, and its other attempts with it. */
export function finalize(spend: Spend, tipHeight: number, now: Instant): Spend {
  const { inclusion, dueHeight } = spend;
  if (spend.state !== "included" || inclusion === null) return spend;
  if (dueHeight === null || dueHeight > tipHeight) return spend;
  const attempts = spend.attempts.map((attempt) =>
    retireUnmined(attempt, "another was mined", now),
  );
  const state = inclusion.hasSucceeded ? "confirmed" : "failed";
  return { ...spend, attempts, state, dueHeight: null, updatedAt: now };
}

/** Something else has used up what all of its transactions need, for good. */
export function markDead(spend: Spend, now: Instant): Spend {
  if (spend.state !== "open") return spend;
  const attempts = spend.attempts.map((attempt) => retireUnmined(attempt, "a claim was used", now));
  return { ...spend, attempts, state: "dead", updatedAt: now };
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
