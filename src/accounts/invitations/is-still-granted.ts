import { present } from "../../platform/kernel/assert.ts";
import { memberChangeFault, stateOf } from "../members/decide-member-change.ts";
import type { Member } from "../members/member.ts";
import type { Invitation } from "./invitation.ts";

/** Whether the member who sent the newest link may still give the invitation's rights. */
export function isStillGranted(
  members: readonly Member[],
  { role, wallets, invitedByMemberId }: Pick<Invitation, "role" | "wallets" | "invitedByMemberId">,
): boolean {
  const inviter = inviterOf(members, invitedByMemberId);
  const rights = { role, wallets, isActive: true };
  return memberChangeFault(stateOf(inviter), null, rights, members.length) === null;
}

/** The member who sent the newest link. Members are deactivated, never deleted. */
export function inviterOf(members: readonly Member[], memberId: string): Member {
  return present(
    members.find(({ id }) => id === memberId),
    "the inviting member",
  );
}
