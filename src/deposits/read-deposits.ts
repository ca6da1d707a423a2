import { assertMayView } from "../accounts/assert-may-view.ts";
import type { Principal } from "../accounts/principal.ts";
import type { TravelRuleInfo } from "../payouts/travel-rule/travel-rule.ts";
import type { Executor } from "../platform/db/database.ts";
import { isObjectId } from "../platform/kernel/object-id.ts";
import type { Seal } from "../platform/kernel/seal.ts";
import { type DepositPayer, readPayer } from "./checkout/payment-page.store.ts";
import type { Deposit } from "./deposit.ts";
import { createFindDeposit, readDepositRow } from "./deposit-list.store.ts";
import { readSealedTravelRule, travelRuleContext } from "./sealed.store.ts";

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
    const found = await find({ accountId: principal.accountId, id });
    const deposit = found?.deposit ?? null;
    if (deposit !== null) assertMayView(principal, deposit, "deposit");
    return deposit;
  };
}

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

/** The travel-rule data of a deposit; null if there is none. The caller checks the permission to view it. */
export async function readDepositTravelRule(
  db: Executor,
  seal: Seal,
  deposit: Pick<Deposit, "accountId" | "id" | "paymentPageId">,
): Promise<TravelRuleInfo | null> {
  const sealed = await readSealedTravelRule(db, deposit);
  if (sealed === null) return null;
  const plain = seal.open(sealed, travelRuleContext(deposit.paymentPageId));
  return JSON.parse(new TextDecoder().decode(plain)) as TravelRuleInfo;
}
