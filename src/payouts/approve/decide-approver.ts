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

/** Something that one member asks for and another approves. */
export type Approvable = {
  readonly createdByMemberId: string;
  /** Null: a person, who uses none. */
  readonly createdByCredentialId: string | null;
  /** With several Owners, no Owner may act on both sides through members or credentials of their own making. */
  readonly isSensitive: boolean;
};

/** How refusals name what is approved. */
export type ApprovalWords = {
  /** `approve payouts` */
  readonly approve: string;
  /** `The payout's creator` */
  readonly creator: string;
  /** What the approver can do instead: `create the payout` */
  readonly ask: string;
  /** What makes it sensitive: `This payout exceeds the account's limits` */
  readonly cause: string;
};

const payoutWords: ApprovalWords = {
  approve: "approve payouts",
  creator: "The payout's creator",
  ask: "create the payout",
  cause: "This payout exceeds the account's limits",
};

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
  rules: ApproverRules,
  now: Instant,
): ActionRefusal | null {
  const subject = { ...payout, isSensitive: payout.isAboveLimit };
  return whyNotIndependent(subject, actingAs(principal), origins, rules, now, payoutWords);
}

/** The same for anything that one member asks for and another approves. */
export function whyNotIndependent(
  subject: Approvable,
  approver: ActingAs,
  origins: AccessOrigins,
  { approverMinAgeSeconds }: ApproverRules,
  now: Instant,
  words: ApprovalWords,
): ActionRefusal | null {
  const oldEnough = oldEnoughAt(origins, approver, approverMinAgeSeconds);
  if (oldEnough !== null && oldEnough > now)
    return refused(
      "too_young",
      `Your access is too recent. You can ${words.approve} from ${formatTimestamp(oldEnough)} on.`,
    );
  if (grantorsOf(origins, approver).has(subject.createdByMemberId))
    return refused(
      "made_by_creator",
      `${words.creator} gave you access, so a member added by someone else must approve it. It works the other way around: if you ${words.ask}, they can approve it.`,
    );
  return subject.isSensitive && hasSeveralOwners(origins)
    ? whyNotSensitive(subject, approver, origins, words)
    : null;
}

function whyNotSensitive(
  subject: Approvable,
  approver: ActingAs,
  origins: AccessOrigins,
  { cause }: ApprovalWords,
): ActionRefusal | null {
  const member = origins.members.get(approver.memberId);
  if (member !== undefined && isUnconfirmed(member))
    return refused(
      "not_confirmed",
      `${cause}. Another Owner must confirm you first (POST /member/${member.id}/confirm/).`,
    );
  if (isMadeByAnother(origins, approver.credentialId, approver.memberId))
    return refused(
      "credential_of_another",
      `${cause}. It can't be approved with a credential that another member created for you.`,
    );
  return isCreatorControlled(subject, approver, origins)
    ? refused(
        "creator_not_confirmed",
        `${cause}, and only you gave its creator access. Another member must approve it.`,
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
  subject: Approvable,
  { memberId }: ActingAs,
  origins: AccessOrigins,
): boolean {
  const creator = origins.members.get(subject.createdByMemberId);
  const credential = origins.credentials.get(subject.createdByCredentialId ?? "");
  // A payout created in the dashboard names the account's designated credential, which may belong to another member.
  if (credential?.memberId === subject.createdByMemberId && credential.createdBy === memberId)
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
