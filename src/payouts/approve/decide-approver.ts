import {
  type AccessOrigins,
  type ActingAs,
  grantorsOf,
  hasSeveralOwners,
  isUnconfirmed,
  oldEnoughAt,
} from "../../accounts/members/access-origins.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Payout } from "../payout.ts";
import type { ActionRefusal } from "./decide-approval-rights.ts";

type ApprovablePayout = Pick<
  Payout,
  "createdByMemberId" | "createdByCredentialId" | "isAboveLimit"
>;

export type ApproverRules = {
  /** Minimum age of a member and its credential before they approve anything. */
  readonly approverMinAgeSeconds: number;
};

/**
 * Why an approver is not trusted yet or not independent of the payout's creator; null if neither. Approval takes two
 * people, so access that the creator gave someone counts as the creator's own.
 */
export function whyNotTrusted(
  payout: ApprovablePayout,
  principal: Principal,
  origins: AccessOrigins,
  { approverMinAgeSeconds }: ApproverRules,
  now: Instant,
): ActionRefusal | null {
  const approver = actingAs(principal);
  const oldEnough = oldEnoughAt(origins, approver, approverMinAgeSeconds);
  if (oldEnough !== null && oldEnough > now)
    return refused(
      "too_young",
      `Your access is too recent. You can approve payouts from ${formatTimestamp(oldEnough)} on.`,
    );
  if (grantorsOf(origins, approver).has(payout.createdByMemberId))
    return refused(
      "made_by_creator",
      "The payout's creator gave you access, so a member added by someone else must approve it.",
    );
  return payout.isAboveLimit && hasSeveralOwners(origins)
    ? whyNotAboveLimit(payout, approver, origins)
    : null;
}

/** Above the account's limits, no Owner can act on both sides through members or credentials of their own making. */
function whyNotAboveLimit(
  payout: ApprovablePayout,
  approver: ActingAs,
  origins: AccessOrigins,
): ActionRefusal | null {
  const member = origins.members.get(approver.memberId);
  if (member !== undefined && isUnconfirmed(member))
    return refused(
      "not_confirmed",
      `This payout exceeds the account's limits. Another Owner must confirm you first (POST /member/${member.id}/confirm/).`,
    );
  if (isMadeByAnother(origins, approver.credentialId, approver.memberId))
    return refused(
      "credential_of_another",
      "This payout exceeds the account's limits. It can't be approved with a credential that another member created for you.",
    );
  return isCreatorControlled(payout, approver, origins)
    ? refused(
        "creator_not_confirmed",
        "This payout exceeds the account's limits, and only you gave its creator access. Another member must approve it.",
      )
    : null;
}

function isMadeByAnother(
  { credentials }: AccessOrigins,
  credentialId: string | null,
  memberId: string,
): boolean {
  const maker = credentialId === null ? null : (credentials.get(credentialId)?.createdBy ?? null);
  return maker !== null && maker !== memberId;
}

/** Whether the creator is an unconfirmed member added by the approver, or used a credential that the approver made. */
function isCreatorControlled(
  payout: ApprovablePayout,
  { memberId }: ActingAs,
  origins: AccessOrigins,
): boolean {
  const creator = origins.members.get(payout.createdByMemberId);
  const credential = origins.credentials.get(payout.createdByCredentialId);
  // A payout created in the dashboard names the account's designated credential, which may belong to another member.
  if (credential?.memberId === payout.createdByMemberId && credential.createdBy === memberId)
    return true;
  return (
    creator !== undefined &&
    isUnconfirmed(creator) &&
    grantorsOf(origins, { memberId: creator.id, credentialId: null }).has(memberId)
  );
}

function actingAs({ memberId, credentialId, person }: Principal): ActingAs {
  return { memberId, credentialId: person === undefined ? credentialId : null };
}

function refused(reason: ActionRefusal["reason"], detail: string): ActionRefusal {
  return { name: "permissionDenied", reason, detail };
}
