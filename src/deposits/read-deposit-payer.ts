import { assertMayView } from "../accounts/assert-may-view.ts";
import type { Principal } from "../accounts/principal.ts";
import type { Executor } from "../platform/db/database.ts";
import { type DepositPayer, readPayer } from "./checkout/payment-page.store.ts";
import { readDepositRow } from "./deposit-list.store.ts";

/**
 * The payer's entries on the payment page; `payer` is null without any. Null: the account has no such deposit. Rejects with
 * noPermissionToView.
 */
export async function readDepositPayer(
  db: Executor,
  principal: Principal,
  depositId: string,
): Promise<{ readonly payer: DepositPayer | null } | null> {
  const deposit = await readDepositRow(db, principal.accountId, depositId);
  if (deposit === null) return null;
  assertMayView(principal, deposit, "deposit");
  return { payer: await readPayer(db, deposit) };
}
