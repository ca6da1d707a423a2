import { mayView, type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { listBatchRows, readBatchRow, readShownRows } from "./payout-batch.store.ts";
import type { PayoutBatch, ShownBatchRow } from "./payout-batch.ts";

/** A page of the batches from wallets that the caller may view. */
export function listBatches(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<PayoutBatch>> {
  return listBatchRows(db, principal.accountId, visibleWallets(principal), query);
}

/** The batch with this id; null if the account has none. Rejects with noPermissionToView for a wallet not granted to the caller. */
export async function findBatch(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<PayoutBatch | null> {
  const batch = await readBatchRow(db, principal.accountId, id);
  if (batch !== null && !mayView(principal, batch.walletId))
    reject("noPermissionToView", "This batch belongs to a wallet that you don't have access to.");
  return batch;
}

/** The rows of a batch that the caller found, in the order of the file. */
export function findShownRows(
  db: Executor,
  accountId: string,
  { id }: Pick<PayoutBatch, "id">,
): Promise<readonly ShownBatchRow[]> {
  return readShownRows(db, accountId, id);
}
