import type { DueTransfer, SecondOpinion } from "../../chains/chain-adapter.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { money } from "../../platform/kernel/money.ts";
import type { DepositContext } from "../payments/reconsider.ts";
import { changeReceipts } from "./change-receipts.ts";
import { lockReceipt, readUnvouched, type UnvouchedReceipt } from "./receipt.store.ts";

type Context = Pick<DepositContext, "needsOpinion" | "currencies"> & {
  readonly db: Database;
  readonly clock: Clock;
  readonly secondOpinion: SecondOpinion;
};

const pageSize = 500;

/**
 * Asks other nodes about waiting receipts that need a second opinion, and records the block for which they confirm them: a node
 * that invents a payment must not get it returned.
 */
export async function vouchForReceipts(context: Context, signal: AbortSignal): Promise<void> {
  const { db, secondOpinion } = context;
  for (let last = "0"; !signal.aborted; ) {
    const page = await readUnvouched(db, secondOpinion.chain, last, pageSize);
    await vouch(
      context,
      page.filter(({ receipt }) => context.needsOpinion(receipt)),
      signal,
    );
    if (page.length < pageSize) return;
    last = page.at(-1)?.receipt.id ?? last;
  }
}

/** Asks about the receipts block by block. */
async function vouch(
  { db, clock, currencies, secondOpinion }: Context,
  needing: readonly UnvouchedReceipt[],
  signal: AbortSignal,
): Promise<void> {
  for (const [hash, rows] of Map.groupBy(needing, ({ receipt }) => receipt.block.hash)) {
    const [first] = rows;
    if (first === undefined || signal.aborted) return;
    const countOf = ({ receipt }: UnvouchedReceipt): number =>
      currencies.get(receipt.currency).confirmationBlocks;
    const idOf = new Map(rows.map((row) => [dueTransferOf(row, countOf(row)), row.receipt.id]));
    const block = { height: first.receipt.block.height, hash, readFrom: first.readFrom };
    const confirmed = await secondOpinion.confirmTransfers(block, [...idOf.keys()], signal);
    const ids = confirmed.flatMap((transfer) => idOf.get(transfer) ?? []);
    await db.transaction(async (tx) => {
      for (const id of ids) {
        const receipt = await lockReceipt(tx, id);
        if (receipt?.block?.hash !== hash) continue;
        await changeReceipts(tx, [receipt], () => ({ ...receipt, vouchedHash: hash }), clock.now());
      }
    });
  }
}

function dueTransferOf({ receipt }: UnvouchedReceipt, confirmations: number): DueTransfer {
  const { txid, outputIndex, watchKey, units, currency, spendableFromHeight, block } = receipt;
  return {
    dueHeight: block.height + confirmations - 1,
    transfer: {
      key: { txid, index: outputIndex },
      to: watchKey,
      asset: { kind: "currency", amount: money(units, currency) },
      spendableFromHeight,
    },
  };
}
