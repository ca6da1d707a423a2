import type { Executor } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { AuditObject } from "./audit/audit-entry.ts";
import type { AuditRecord } from "./audit/record-audit.ts";
import { readDesignatedId } from "./credentials/credential.store.ts";
import type { Principal } from "./principal.ts";

/** Something that an operator of the deployment does to an account's money, and why. */
export type OperatorAct = {
  /** The operator, with the rights of the account's Owner. */
  readonly principal: Principal;
  /** What the audit logs of both accounts say of it. */
  readonly audits: (
    action: string,
    object: AuditObject,
    at: Instant,
  ) => readonly [AuditRecord, ...AuditRecord[]];
};

/** The operator's act on money of its own account. */
export function ownAct(principal: Principal, reason: string): OperatorAct {
  return {
    principal,
    audits: (action, object, at) => [{ by: principal, action, object, summary: { reason }, at }],
  };
}

/** The same on money of any account. Whether the caller operates the deployment was checked before. */
export async function actFor(
  db: Executor,
  principal: Principal,
  accountId: string,
  reason: string,
): Promise<OperatorAct> {
  if (accountId === principal.accountId) return ownAct(principal, reason);
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
      // Its member and address are the operator's own and no concern of this account.
      { by: { accountId }, action, object, summary: { reason, by: "the operator" }, at },
    ],
  };
}
