import { assertMayView } from "../accounts/assert-may-view.ts";
import { type Principal, visibleWallets } from "../accounts/principal.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Executor } from "../platform/db/database.ts";
import type { ListQuery, Page } from "../platform/kernel/list-query.ts";
import { isObjectId } from "../platform/kernel/object-id.ts";
import type { Deposit } from "./deposit.ts";
import { createFindDeposit, listDepositRows } from "./deposit-list.store.ts";

/**
 * One deposit of the caller's account; null when the account has no such deposit. Rejects with noPermissionToView when it belongs
 * to a wallet that the caller was not granted.
 */
export type ReadDeposit = (principal: Principal, id: string) => Promise<Deposit | null>;

/** Concurrent calls share a statement. */
export function createReadDeposit(db: Executor): ReadDeposit {
  const find = createFindDeposit(db);
  return async (principal, id) => {
    if (!isObjectId(id)) return null;
    const deposit = await find({ accountId: principal.accountId, id });
    if (deposit !== null) assertMayView(principal, deposit, "deposit");
    return deposit;
  };
}

/** A page of the deposits that the caller may view. */
export function listDeposits(
  db: Executor,
  principal: Principal,
  query: ListQuery,
  currencies: CurrencyRegistry,
): Promise<Page<Deposit>> {
  return listDepositRows(db, principal.accountId, visibleWallets(principal), query, currencies);
}
