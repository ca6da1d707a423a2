import { assertOperator } from "../../accounts/operator.ts";
import { actFor, type OperatorAct } from "../../accounts/operator-act.ts";
import type { Principal } from "../../accounts/principal.ts";
import { findTransferAccount } from "../../deposits/transfers/read-transfers.ts";
import type { Executor } from "../../platform/db/database.ts";

export const forOperators = "For Owners and Admins of an account that operates the deployment.";

/** Why an operator does what it does to an account's money. */
export const reasonField = {
  kind: "String",
  required: true,
  maxLength: 256,
  description: "Why; it stands in the audit logs of both accounts.",
} as const;

/**
 * What an operator does to a transfer of any account. Rejects `permissionDenied` for everyone else, whether or not there is such a
 * transfer. Null: there is none.
 */
export async function operatorActOn(
  db: Executor,
  principal: Principal,
  transferId: string,
  reason: string,
): Promise<OperatorAct | null> {
  await assertOperator(db, principal);
  const accountId = await findTransferAccount(db, transferId);
  return accountId === null ? null : actFor(db, principal, accountId, reason);
}
