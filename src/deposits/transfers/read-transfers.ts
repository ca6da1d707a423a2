import { assertMayView } from "../../accounts/assert-may-view.ts";
import { type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import {
  listTransferRows,
  readHeldTransfers,
  readTransferAccount,
  readTransferRow,
} from "./transfer.store.ts";
import type { HeldTransfer, TransferWithTip } from "./transfer.ts";

/**
 * One transfer of the caller's account; null when the account has no such transfer. Rejects with noPermissionToView when it
 * belongs to a wallet that the caller was not granted.
 */
export async function readTransfer(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<TransferWithTip | null> {
  const found = await readTransferRow(db, principal.accountId, id);
  if (found !== null) assertMayView(principal, found.transfer, "transfer");
  return found;
}

/** A page of the transfers that the caller may view. */
export function listTransfers(
  db: Executor,
  principal: Principal,
  query: ListQuery,
  currencies: CurrencyRegistry,
): Promise<Page<TransferWithTip>> {
  return listTransferRows(db, principal.accountId, visibleWallets(principal), query, currencies);
}

/** The account of a transfer, for operators of the deployment; null without such a transfer. */
export function findTransferAccount(db: Executor, id: string): Promise<string | null> {
  return readTransferAccount(db, id);
}

/** The transfers of all accounts that screening and policy hold, oldest first, for operators of the deployment. */
export function listHeldTransfers(db: Executor): Promise<readonly HeldTransfer[]> {
  return readHeldTransfers(db);
}
