import type { Executor } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { AuditObject } from "./audit/audit-entry.ts";
import type { AuditRecord } from "./audit/record-audit.ts";
import { readDesignatedId } from "./credentials/credential.store.ts";
import type { Principal } from "./principal.ts";

/** An operator's action on an account's money, with a reason. */
export type OperatorAct = {
  /** The operator with the rights of the account's Owner. */
  readonly principal: Principal;
  /** The entries for the audit logs of both accounts. */
  readonly audits: (
    action: string,
    object: AuditObject,
    at: Instant,
  ) => readonly [AuditRecord, ...AuditRecord[]];
};

/** An operator's action on its own account's money. */
export function actOnOwnAccount(principal: Principal, reason: string): OperatorAct {
  return {
    principal,
    audits: (action, object, at) => [{ by: principal, action, object, summary: { reason }, at }],
  };
}

/** An operator's action on any account's money. Check `assertOperator` first. */
export async function actOnAccount(
  db: Executor,
  principal: Principal,
  accountId: string,
  reason: string,
): Promise<OperatorAct> {
  if (accountId === principal.accountId) return actOnOwnAccount(principal, reason);
  const credentialId = (await readDesignatedId(db, accountId)) ?? principal.credentialId;
  const { memberId, ip } = principal;
  return {
    principal: {
      accountId,
      memberId,
      credentialId,
      role: "owner",
      accountIsReady: true,
      wallets: "all",
      ...(ip === undefined ? {} : { ip }),
    },
    audits: (action, object, at) => [
      { by: principal, action, object, summary: { reason, account: accountId }, at },
      // The operator's member and address are not revealed to this account.
      { by: { accountId }, action, object, summary: { reason, by: "the operator" }, at },
    ],
  };
}
