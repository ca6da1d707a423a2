import type { Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { listPayeeRows, type WhitelistedPayee } from "./payee-list.store.ts";

export type { WhitelistedPayee };

/** A page of the account's whitelist. Only the operator changes it (`sluice payee`); every member may view it. */
export function listPayees(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<WhitelistedPayee>> {
  return listPayeeRows(db, principal.accountId, query);
}
