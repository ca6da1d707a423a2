import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { readAccountName } from "../account.store.ts";
import { readMembers } from "../members/member.store.ts";
import type { PeopleContext } from "../people/context.ts";
import { findInvitationToken } from "../people/email-token.store.ts";
import type { Role } from "../principal.ts";
import { tokenDigest } from "../tokens/opaque-token.ts";
import { readInvitation } from "./invitation.store.ts";
import { type InvitationState, stateOfInvitation } from "./invitation.ts";
import { inviterOf, isStillGranted } from "./is-still-granted.ts";

/** What the holder of an invitation's link is shown before they accept. */
export type InvitationOffer = {
  readonly accountId: string;
  /** `revoked`: the inviter may no longer give these rights. */
  readonly state: InvitationState | "revoked";
  readonly account: string;
  /** Name of the member who sent the newest link, and can send another one. */
  readonly inviter: string;
  readonly role: Role;
  readonly email: string;
  readonly expiresAt: Instant;
};

/**
 * Reads the invitation of a link by its secret token, without using it up. A link that was used or has expired is recognized for a month.
 * Rejects `invalidValue` for a token that is unknown, replaced by a newer one, or withdrawn.
 */
export async function readOffer(
  { db, clock }: Pick<PeopleContext, "db" | "clock">,
  token: string,
): Promise<InvitationOffer> {
  const found = await findInvitationToken(db, tokenDigest(token));
  const invitation =
    found?.invitationId == null
      ? null
      : await readInvitation(db, found.accountId, found.invitationId);
  if (found === null || invitation === null)
    return reject(
      "invalidValue",
      "This link isn't valid: a newer one has replaced it, or the invitation was withdrawn.",
      { pointer: "/data/attributes/token" },
    );
  const { accountId } = found;
  const members = await readMembers(db, accountId);
  const state = stateOfInvitation(invitation, clock.now());
  return {
    accountId,
    state: state === "pending" && !isStillGranted(members, invitation) ? "revoked" : state,
    account: present(await readAccountName(db, accountId), "an account's name"),
    inviter: inviterOf(members, invitation.invitedByMemberId).name,
    role: invitation.role,
    email: invitation.email,
    expiresAt: invitation.expiresAt,
  };
}
