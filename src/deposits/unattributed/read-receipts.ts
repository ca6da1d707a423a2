import { assertOperator } from "../../accounts/operator.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { listReceiptRows, readReceiptRow, type ShownReceipt } from "./receipt-list.store.ts";

/** A page of the deployment's receipts. Rejects `permissionDenied` unless for operators. */
export async function listReceipts(
  { db, currencies }: { readonly db: Executor; readonly currencies: CurrencyRegistry },
  principal: Principal,
  query: ListQuery,
): Promise<Page<ShownReceipt>> {
  await assertOperator(db, principal);
  return listReceiptRows(db, query, currencies);
}

/** Null without such a receipt. Rejects `permissionDenied` unless for operators, whether or not it exists. */
export async function readReceipt(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<ShownReceipt | null> {
  await assertOperator(db, principal);
  return readReceiptRow(db, id);
}
