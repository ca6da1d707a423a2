import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { removeClaims, takeClaims, takeClaimsOf } from "./claim.store.ts";
import {
  insertSpend,
  insertSpends,
  removeSpend,
  reserveSpendId,
  reserveSpendIds,
} from "./spend.store.ts";
import type { NewSpend, Spend } from "./spend.ts";
import { newAttempt } from "./spend-transitions.ts";

export type CreateOutcome =
  | { readonly kind: "created"; readonly spend: Spend }
  /** Another live spend holds these claims; nothing was written. Draft it again from what is free then. */
  | { readonly kind: "claimed"; readonly claims: readonly string[] };

/**
 * Stores a spend with its first attempt and takes its claims, in the caller's transaction, which also changes what the spend is
 * for. Nothing is signed before that transaction has committed.
 */
export async function createSpend(
  tx: Executor,
  input: NewSpend,
  now: Instant,
): Promise<CreateOutcome> {
  const { draft } = input;
  const spend = newSpend(await reserveSpendId(tx), input, now);
  await insertSpend(tx, spend);
  const taken = await takeClaims(tx, spend, draft.claims);
  if (taken.length === draft.claims.length) return { kind: "created", spend };
  await removeClaims(tx, spend.id, taken);
  await removeSpend(tx, spend.id);
  return { kind: "claimed", claims: draft.claims.filter((claim) => !taken.includes(claim)) };
}

/** The same where a spend that failed holds the claims, for its payouts to be paid again. */
export async function insertSpendWithoutClaims(
  tx: Executor,
  input: NewSpend,
  now: Instant,
): Promise<Spend> {
  const spend = newSpend(await reserveSpendId(tx), input, now);
  await insertSpend(tx, spend);
  return spend;
}

/**
 * The same for several spends of one chain, in their order. Null if another live spend holds a claim of one of them: then the
 * caller's transaction must not commit.
 */
export async function createSpends(
  tx: Executor,
  chain: string,
  input: readonly NewSpend[],
  now: Instant,
): Promise<readonly Spend[] | null> {
  if (input.length === 0) return [];
  const ids = await reserveSpendIds(tx, input.length);
  const spends = input.map((each, at) => newSpend(present(ids[at], "an id"), each, now));
  assert(
    spends.every((spend) => spend.chain === chain),
    "spends created together belong to one chain",
  );
  await insertSpends(tx, spends);
  const claims = spends.flatMap(({ id, attempts }) =>
    attempts.flatMap(({ draft }) => draft.claims.map((claim) => ({ spendId: id, claim }))),
  );
  const taken = await takeClaimsOf(tx, chain, claims);
  return taken.length === claims.length ? spends : null;
}

function newSpend(id: string, { draft, ...rest }: NewSpend, now: Instant): Spend {
  assert(
    draft.claims.length > 0 || draft.validity !== null,
    "a draft claims nothing and never expires, so it could be paid twice",
  );
  return {
    ...rest,
    id,
    state: "open",
    inclusion: null,
    dueHeight: null,
    expiredBy: null,
    attempts: [newAttempt(1, draft, now)],
    createdAt: now,
    updatedAt: now,
  };
}
