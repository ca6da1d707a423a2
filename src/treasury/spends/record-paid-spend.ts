import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import { isBestBlock, lockTipHeight } from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { takeClaims } from "./claim.store.ts";
import { sequenceClaimOf } from "./sequence-allocator.ts";
import { insertSpend, readSpends, reserveSpendId } from "./spend.store.ts";
import type { SpendRequest } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";
import { finalize, newAttempt, recordInclusion } from "./spend-transitions.ts";

/** A transaction of our accounts that is in a block although its bytes are not on record, and the payouts that it paid. */
export type PaidSpend = {
  readonly chain: string;
  readonly txid: string;
  /** The sending account; null on UTXO chains, and if only its claims are known. */
  readonly sender: string | null;
  readonly claims: readonly string[];
  readonly block: { readonly height: number; readonly hash: string };
  /** The burnt fee, in units of `feeCurrency`. */
  readonly feeUnits: bigint;
  readonly feeCurrency: CurrencyId;
  /** What may be drafted in its place should a reorg remove its block; null if nothing may. */
  readonly payments: SpendRequest["payments"] | null;
  readonly payoutIds: readonly string[];
  /** What it paid to others besides these payouts. */
  readonly leaves: Money | null;
  /** The depth at which it is final. */
  readonly confirmations: number;
};

/**
 * Records the transaction as the spend of these payouts: first as broadcast, then as included, and as final if its block is deep
 * enough. Returns false and changes nothing if that block is not on the best chain.
 */
export async function recordPaidSpend(
  tx: Executor,
  listener: SpendListener,
  paid: PaidSpend,
  now: Instant,
): Promise<boolean> {
  const { chain, txid, claims, block, feeUnits, payments } = paid;
  // Locks in the follower's order: first the cursor, then the spends.
  const tipHeight = await lockTipHeight(tx, chain);
  if (tipHeight === null || !(await isBestBlock(tx, chain, block, tipHeight))) return false;
  const id = await reserveSpendId(tx);
  const claim = sequenceClaimOf(claims);
  const sender = paid.sender ?? claim?.sender ?? null;
  const draft = { body: {}, claims, feeUnits, validity: null };
  // Its bytes are unknown, so it is never broadcast again.
  const signed = { state: "broadcast" as const, txid, raw: new Uint8Array() };
  await insertSpend(tx, {
    id,
    chain,
    kind: "payout",
    state: "open",
    sender,
    purpose: { payoutIds: paid.payoutIds },
    request:
      sender === null || payments === null
        ? null
        : {
            payments,
            funds: {
              kind: "account",
              address: sender,
              sequence: claim?.sequence ?? null,
              ...(claim === null || claim.sender === sender ? {} : { lender: claim.sender }),
            },
          },
    feeCurrency: paid.feeCurrency,
    confirmations: paid.confirmations,
    leaves: paid.leaves,
    inclusion: null,
    dueHeight: null,
    expiredBy: null,
    attempts: [{ ...newAttempt(1, draft, now), ...signed }],
    createdAt: now,
    updatedAt: now,
  });
  await takeClaims(tx, { chain, id }, claims);
  const [spend] = await readSpends(tx, [id]);
  await listener.adopted(tx, present(spend, "the inserted spend"), paid.payoutIds, now);
  const mined = { txid, ...block, hasSucceeded: true, feeUnits };
  await changeSpends(tx, listener, [id], (locked) => recordInclusion(locked, mined, now), now);
  await changeSpends(tx, listener, [id], (locked) => finalize(locked, tipHeight, now), now);
  return true;
}
