import type { Principal } from "../accounts/principal.ts";
import type { Executor } from "../platform/db/database.ts";
import { type ListQuery, type Page, resolvePage } from "../platform/kernel/list-query.ts";
import type { Receiver } from "./receiver.ts";
import { listReceiverRows } from "./receiver-list.store.ts";

/** A page of the account's receivers that have failed before. Members who see only granted wallets see none. */
export async function listReceivers(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<Receiver>> {
  if (principal.wallets === "all") return listReceiverRows(db, principal.accountId, query);
  const { page } = query;
  return page.kind === "after"
    ? { kind: "after", items: [], next: null }
    : { kind: "numbered", items: [], number: resolvePage(page, 0), count: 0 };
}
