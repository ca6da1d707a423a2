import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { readTips } from "../payments/incoming.store.ts";
import type { DepositContext } from "../payments/reconsider.ts";
import { notFinal } from "../resolve/refundable.ts";
import { changeReceipts } from "./change-receipts.ts";
import { findReturnWallet, lockReceipt } from "./receipt.store.ts";
import type { Receipt } from "./receipt.ts";
import { obstacleToDecision, returnThrough } from "./receipt-changes.ts";
import { readReceiptRow } from "./receipt-list.store.ts";

/** Unattributed money and the wallet through which it is returned. */
export type Returnable = {
  readonly walletId: string;
  readonly currency: CurrencyId;
  readonly units: bigint;
  /** Its sender; null when the chain names several or none. */
  readonly sender: string | null;
  /** Why it cannot be returned now; null: it can. */
  readonly obstacle: string | null;
};

type Context = Pick<DepositContext, "currencies" | "needsOpinion">;

/**
 * A receipt, with the account's oldest active Enterprise wallet of its currency, through which it is returned. Null: there is no such receipt. Rejects
 * with invalidValue if the account has no such wallet.
 */
export async function findReturnable(
  db: Executor,
  context: Context,
  accountId: string,
  id: string,
): Promise<Returnable | null> {
  const shown = await readReceiptRow(db, id);
  if (shown === null) return null;
  const { receipt, tipHeight } = shown;
  const { currency, units, from } = receipt;
  const walletId = await findReturnWallet(db, accountId, currency);
  if (walletId === null) {
    const { alpha } = context.currencies.get(currency);
    const detail = `A return passes through an Enterprise wallet of your account. Create one in ${alpha} first.`;
    return reject("invalidValue", detail);
  }
  const senders = [...new Set(from)];
  const [sender = null] = senders;
  return {
    walletId,
    currency,
    units,
    sender: senders.length === 1 ? sender : null,
    obstacle: obstacleToReturn(context, receipt, tipHeight),
  };
}

/** What is returned cannot be taken back, so its arrival must be final. */
function obstacleToReturn(
  { currencies, needsOpinion }: Context,
  receipt: Receipt,
  tipHeight: number | null,
): string | null {
  const { block } = receipt;
  const obstacle = obstacleToDecision(receipt);
  if (obstacle !== null || block === null) return obstacle;
  const isDeep = isSettled(currencies, receipt.currency, block.height, tipHeight);
  if (!isDeep) return notFinal;
  return needsOpinion(receipt) && receipt.vouchedHash !== block.hash
    ? "Another node has not confirmed this payment yet."
    : null;
}

function isSettled(
  currencies: CurrencyRegistry,
  currency: CurrencyId,
  height: number,
  tipHeight: number | null,
): boolean {
  return (
    tipHeight !== null && tipHeight - height + 1 >= currencies.get(currency).confirmationBlocks
  );
}

/** Locks the receipt; call it before any balance is locked. */
export async function lockForReturn(tx: Executor, id: string): Promise<void> {
  await lockReceipt(tx, id);
}

/**
 * Credits the wallet with the receipt that a payout of the same transaction pays out again. The caller holds the receipt's lock. Rejects with
 * invalidValue if it was decided on in the meantime or is not final.
 */
export async function creditReturn(
  tx: Executor,
  context: Context,
  order: {
    readonly id: string;
    readonly owner: NonNullable<Receipt["owner"]>;
    readonly reason: string;
  },
  by: { readonly payoutId: string; readonly targetUnits: bigint },
  now: Instant,
): Promise<void> {
  const receipt = await lockReceipt(tx, order.id);
  if (receipt === null) return reject("invalidValue", "There is no such payment.");
  const tips = await readTips(tx, [receipt.chain]);
  const obstacle = obstacleToReturn(context, receipt, tips.get(receipt.chain)?.height ?? null);
  if (obstacle !== null) reject("invalidValue", obstacle);
  assert(
    by.targetUnits === receipt.units,
    `payout ${by.payoutId} does not pay receipt ${order.id}`,
  );
  const decision = { ...order, payoutId: by.payoutId };
  await changeReceipts(tx, [receipt], () => returnThrough(receipt, decision, now), now);
}
