import { post } from "../../ledger/post.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { entriesOf } from "./positions.ts";
import { insertReceipts, saveReceipts } from "./receipt.store.ts";
import type { NewReceipt, Receipt } from "./receipt.ts";

/** Changes receipts that the caller has locked, and books the difference. */
export async function changeReceipts(
  tx: Executor,
  receipts: readonly Receipt[],
  change: (receipt: Receipt) => Receipt,
  now: Instant,
): Promise<void> {
  const changes = receipts
    .map((before) => ({ before, after: change(before) }))
    .filter(({ before, after }) => before !== after);
  if (changes.length === 0) return;
  await saveReceipts(
    tx,
    changes.map(({ after }) => after),
  );
  await post(
    tx,
    changes.flatMap(({ before, after }) => entriesOf(before, after)),
    now,
  );
}

/** Stores and books new receipts. */
export async function enterReceipts(
  tx: Executor,
  receipts: readonly NewReceipt[],
  now: Instant,
): Promise<void> {
  if (receipts.length === 0) return;
  const entered = await insertReceipts(tx, receipts);
  await post(
    tx,
    entered.flatMap((receipt) => entriesOf(null, receipt)),
    now,
  );
}
