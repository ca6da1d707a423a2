import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import { isBestBlock, lockTipHeight } from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { takeClaims } from "./claim.store.ts";
import { parseNonceClaim } from "./nonce-allocator.ts";
import { insertSpend, readSpends, reserveSpendId } from "./spend.store.ts";
import type { SpendRequest } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";
import { finalize, newAttempt, recordInclusion } from "./spend-transitions.ts";

/** A transaction of our accounts in a block, of which no bytes are on record, and the payouts that it paid. */
export type PaidSpend = {
  readonly chain: string;
  readonly txid: string;
  readonly claims: readonly string[];
  readonly block: { readonly height: number; readonly hash: string };
  /** Burnt, units of `feeCurrency`. */
  readonly feeUnits: bigint;
  readonly feeCurrency: CurrencyId;
  readonly payments: SpendRequest["payments"];
  readonly payoutIds: readonly string[];
  /** What it paid to others beside them. */
  readonly leaves: Money | null;
  /** The count at which it is over. */
  readonly confirmations: number;
};

/**
 * Enters such a transaction as the spend of these payouts, and everything that follows from its block. False, and nothing
 * changes, where that block is not of the best chain any more.
 */
export async function recordPaidSpend(
  tx: Executor,
  listener: SpendListener,
  paid: PaidSpend,
  now: Instant,
): Promise<boolean> {
  const { chain, txid, claims, block, feeUnits, payments } = paid;
  // The follower moves its cursor first and changes spends then: so in this order here too.
  const tipHeight = await lockTipHeight(tx, chain);
  if (tipHeight === null || !(await isBestBlock(tx, chain, block, tipHeight))) return false;
  const id = await reserveSpendId(tx);
  const nonce = parseNonceClaim(claims[0] ?? "");
  const draft = { body: {}, claims, feeUnits, expiresAfterHeight: null };
  const signed = { state: "broadcast" as const, txid, raw: new Uint8Array() };
  await insertSpend(tx, {
    id,
    chain,
    kind: "payout",
    state: "open",
    sender: nonce?.sender ?? null,
    purpose: { payoutIds: paid.payoutIds },
    request:
      nonce === null
        ? null
        : { payments, funds: { kind: "account", address: nonce.sender, nonce: nonce.nonce } },
    feeCurrency: paid.feeCurrency,
    confirmations: paid.confirmations,
    leaves: paid.leaves,
    inclusion: null,
    dueHeight: null,
    attempts: [{ ...newAttempt(1, draft, now), ...signed }],
    createdAt: now,
    updatedAt: now,
  });
  await takeClaims(tx, { chain, id }, claims);
  const [spend] = await readSpends(tx, [id]);
  await listener.adopted(tx, present(spend, "the spend just entered"), paid.payoutIds, now);
  const mined = { txid, ...block, hasSucceeded: true, feeUnits };
  await changeSpends(tx, listener, [id], (one) => recordInclusion(one, mined, now), now);
  await changeSpends(tx, listener, [id], (one) => finalize(one, tipHeight, now), now);
  return true;
}
