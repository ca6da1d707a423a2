import { assertMayView } from "../../accounts/assert-may-view.ts";
import { assertOperator } from "../../accounts/operator.ts";
import { actOnAccount, type OperatorAct } from "../../accounts/operator-act.ts";
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

/** The transfers of all accounts that screening and policy hold, oldest first. Rejects `permissionDenied` unless for operators. */
export async function listHeldTransfers(
  db: Executor,
  principal: Principal,
): Promise<readonly HeldTransfer[]> {
  await assertOperator(db, principal);
  return readHeldTransfers(db);
}

/**
 * An operator's action on a transfer of any account. Rejects `permissionDenied` for everyone else, whether or not the transfer
 * exists. Null if it does not exist.
 */
export async function actOnTransfer(
  db: Executor,
  principal: Principal,
  transferId: string,
  reason: string,
): Promise<OperatorAct | null> {
  await assertOperator(db, principal);
  const accountId = await readTransferAccount(db, transferId);
  return accountId === null ? null : actOnAccount(db, principal, accountId, reason);
}
