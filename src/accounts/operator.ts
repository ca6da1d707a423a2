import type { Database, Executor } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import { reject } from "../platform/kernel/rejection.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { readIsOperator, storeIsOperator } from "./operator.store.ts";
import { mayAdministerAccount, type Principal } from "./principal.ts";

/**
 * Whether the caller operates the deployment: an Owner or Admin of an account that is marked as its operator, with access to all wallets of
 * that account, since an operator also decides about other accounts' money.
 */
export async function isOperator(db: Executor, principal: Principal): Promise<boolean> {
  return mayAdministerAccount(principal) && (await readIsOperator(db, principal.accountId));
}

/** Whether the account operates the deployment. */
export function operatesDeployment(db: Executor, accountId: string): Promise<boolean> {
  return readIsOperator(db, accountId);
}

/** Rejects `permissionDenied` unless the caller operates the deployment. */
export async function assertOperator(db: Executor, principal: Principal): Promise<void> {
  if (!(await isOperator(db, principal)))
    reject(
      "permissionDenied",
      "Only Owners and Admins of an account that operates this deployment, with access to all its wallets, may do this.",
    );
}

/** Sets whether an account operates the deployment. False for an unknown account. */
export function setOperator(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  accountId: string,
  isOperator: boolean,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await storeIsOperator(tx, accountId, isOperator))) return false;
    await recordAudit(tx, {
      by: { accountId },
      action: "account.changed",
      object: { type: "account", id: accountId },
      summary: { operates_the_deployment: isOperator },
      at: clock.now(),
    });
    return true;
  });
}
