import { assertOperator } from "../../accounts/operator.ts";
import { actOnAccount, type OperatorAct } from "../../accounts/operator-act.ts";
import type { Principal } from "../../accounts/principal.ts";
import { findTransferAccount } from "../../deposits/transfers/read-transfers.ts";
import type { Executor } from "../../platform/db/database.ts";

export const forOperators = "For Owners and Admins of an account that operates the deployment.";

/** The reason for an operator's action on another account's money. */
export const reasonField = {
  kind: "String",
  required: true,
  maxLength: 256,
  description: "The reason, recorded in the audit logs of both accounts.",
} as const;

/**
 * An operator's action on a transfer of any account. Rejects `permissionDenied` for everyone else, whether or not the transfer
 * exists. Null if it does not exist.
 */
export async function operatorActOn(
  db: Executor,
  principal: Principal,
  transferId: string,
  reason: string,
): Promise<OperatorAct | null> {
  await assertOperator(db, principal);
  const accountId = await findTransferAccount(db, transferId);
  return accountId === null ? null : actOnAccount(db, principal, accountId, reason);
}
