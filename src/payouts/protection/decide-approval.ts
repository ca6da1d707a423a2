import type { AccessOrigins } from "../../accounts/members/access-origins.ts";
import type { Member } from "../../accounts/members/member.ts";
import { mayAdminister, mayAdministerAccount, type Principal } from "../../accounts/principal.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { ActionRefusal } from "../approve/decide-approval-rights.ts";
import { type ApproverRules, whyNotIndependent } from "../approve/decide-approver.ts";
import type { ProtectionChange } from "./protection-change.ts";

/** Why a member may not approve, reject or withdraw a change. */
export type ChangeRefusal = {
  readonly name: "permissionDenied" | "invalidValue";
  readonly reason: ActionRefusal["reason"] | "own_change" | "not_own_change" | "asker_gone";
  readonly detail: string;
};

const words = {
  approve: "approve changes",
  creator: "The member who asked for this change",
  ask: "ask for the change",
  cause: "This change loosens protection",
} as const;

/** Why the caller, an Owner or Admin of the account, may not approve the change; null if it may. Pure. */
export function whyNotApproveChange(
  change: Pick<ProtectionChange, "status" | "createdByMemberId" | "expiresAt">,
  { memberId }: Pick<Principal, "memberId">,
  origins: AccessOrigins,
  rules: ApproverRules,
  now: Instant,
): ChangeRefusal | null {
  const over = whyNotWaiting(change, now);
  if (over !== null) return over;
  if (memberId === change.createdByMemberId)
    return {
      name: "permissionDenied",
      reason: "own_change",
      detail: "You asked for this change, so another member must approve it.",
    };
  if (!mayStillAsk(origins, change.createdByMemberId))
    return {
      name: "permissionDenied",
      reason: "asker_gone",
      detail:
        "The member who asked may no longer change limits. Reject it and ask for it yourself.",
    };
  const subject = {
    createdByMemberId: change.createdByMemberId,
    createdByCredentialId: null,
    isSensitive: true,
  };
  const refusal = whyNotIndependent(
    subject,
    { memberId, credentialId: null },
    origins,
    rules,
    now,
    words,
  );
  return refusal === null ? null : { ...refusal, name: "permissionDenied" };
}

/** Why a change is decided already, or too late; null while it waits. */
export function whyNotWaiting(
  { status, expiresAt }: Pick<ProtectionChange, "status" | "expiresAt">,
  now: Instant,
): ChangeRefusal | null {
  if (status !== "waiting")
    return {
      name: "invalidValue",
      reason: "not_waiting",
      detail: `The change no longer waits: it is ${status}.`,
    };
  if (expiresAt !== null && expiresAt <= now)
    return {
      name: "invalidValue",
      reason: "not_waiting",
      detail: "The change has expired. Ask for it again.",
    };
  return null;
}

/** Whether the member who asked is still an active Owner or Admin. */
export function mayStillAsk({ members }: AccessOrigins, memberId: string): boolean {
  const member = members.get(memberId);
  return member !== undefined && member.isActive && mayAdminister(member);
}

/**
 * Whether someone else could approve what `askerId` asks for, now, once their access is old enough, or once a missing confirmation is
 * given: another person, Owner or Admin with all wallets, who does not owe access to the asker. Without the confirmations that are yet to
 * come, an unconfirmed Owner would find no approver among the others, and could loosen alone. Pure.
 */
export function hasApprover(
  members: readonly Member[],
  origins: AccessOrigins,
  askerId: string,
  now: Instant,
): boolean {
  const subject = { createdByMemberId: askerId, createdByCredentialId: null, isSensitive: false };
  return members.some(
    (member) =>
      member.id !== askerId &&
      member.deactivatedAt === null &&
      member.login !== null &&
      mayAdministerAccount(member) &&
      whyNotIndependent(
        subject,
        { memberId: member.id, credentialId: null },
        origins,
        { approverMinAgeSeconds: 0 },
        addSeconds(now, 1),
        words,
      ) === null,
  );
}
