import type { SecondOpinion } from "../../chains/chain-adapter.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { blockOf, dueTransferOf, questionOf } from "./awaiting-transfers.ts";
import { type AwaitingRow, references } from "./incoming.store.ts";
import { type DepositContext, reconsider } from "./reconsider.ts";

type Context = DepositContext & {
  readonly db: Database;
  readonly clock: Clock;
  readonly secondOpinion: SecondOpinion;
};

const pageSize = 500;

/**
 * Asks other nodes about the transfers that need a second opinion, block by block, and records what they confirm. A confirmation
 * covers one block: it is discarded if a reorg has removed the transfer from that block. Transfers that no longer need a second
 * opinion continue without one.
 */
export async function askSecondOpinions(context: Context, signal: AbortSignal): Promise<void> {
  const { db, secondOpinion } = context;
  for (let last = "0"; !signal.aborted; ) {
    const page = await references.awaiting(db, secondOpinion.chain, last, pageSize);
    const needing = page.filter((row) => context.needsOpinion(questionOf(row)));
    const others = page.filter((row) => !needing.includes(row));
    await enter(context, others, (transfer) => transfer);
    for (const [hash, rows] of Map.groupBy(needing, ({ block_hash }) => block_hash)) {
      const vouched = await confirmed(secondOpinion, rows, signal);
      await enter(context, vouched, (transfer) =>
        transfer.block?.hash === hash ? { ...transfer, vouchedHash: hash } : transfer,
      );
    }
    if (page.length < pageSize) return;
    last = page.at(-1)?.id ?? last;
  }
}

/** The transfers of one block that other nodes confirm. */
async function confirmed(
  secondOpinion: SecondOpinion,
  rows: readonly AwaitingRow[],
  signal: AbortSignal,
): Promise<readonly AwaitingRow[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const rowOf = new Map(rows.map((row) => [dueTransferOf(row), row]));
  const asked = [...rowOf.keys()];
  const found = await secondOpinion.confirmTransfers(blockOf(first), asked, signal);
  return found.flatMap((transfer) => rowOf.get(transfer) ?? []);
}

/** Records the confirmations and books what follows. */
async function enter(
  context: Context,
  rows: readonly AwaitingRow[],
  confirm: (transfer: TransferRecord) => TransferRecord,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = new Set(rows.map(({ id }) => id));
  const request = {
    depositIds: rows.map(({ deposit_id }) => deposit_id),
    transferIds: [...ids],
    tips: new Map(),
    now: context.clock.now(),
  };
  await context.db.transaction((tx) =>
    reconsider(tx, context, request, ({ deposit, transfers }) => ({
      deposit,
      transfers: transfers.map((transfer) => (ids.has(transfer.id) ? confirm(transfer) : transfer)),
    })),
  );
}
