import type { Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import type { ListedPayee } from "./listed-payee.ts";
import { listPayeeRows } from "./payee-list.store.ts";

/** A page of the account's whitelist, which the operator keeps (`sluice payee`); every member sees it. */
export function listPayees(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<ListedPayee>> {
  return listPayeeRows(db, principal.accountId, query);
}
