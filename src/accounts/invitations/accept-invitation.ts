import { present } from "../../platform/kernel/assert.ts";
import { Rejected, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { memberChangeFault, stateOf } from "../members/decide-member-change.ts";
import { lockMembers } from "../members/lock-members.ts";
import { readOwnWallets, storeMember } from "../members/member.store.ts";
import { assignLogin } from "../members/person-login.ts";
import { saveContactEmail } from "../people/contact.store.ts";
import { newUnsubscribeKey } from "../people/contact.ts";
import type { PeopleContext } from "../people/context.ts";
import { peekEmailToken, takeEmailToken } from "../people/email-token.store.ts";
import { loginFault, passwordFault } from "../people/password-rules.ts";
import { rejectToken } from "../people/verify-email.ts";
import { tokenDigest } from "../tokens/opaque-token.ts";
import { hashPassword } from "../tokens/password-hash.ts";
import { lockInvitation, storeAcceptance } from "./invitation.store.ts";

export type Acceptance = {
  readonly token: string;
  /** Null: the invited address. */
  readonly login: string | null;
  readonly password: string;
};

/**
 * Makes the invited person a member, with a login and a password of their own and the invited address as a verified one. The token works
 * once. It starts no session. The inviter counts as having given the access, so a member of an account with several Owners still
 * needs another one's confirmation. Rejects `invalidValue`, also when the inviter may no longer grant these rights.
 */
export async function acceptInvitation(
  context: PeopleContext,
  { token, login: chosen, password }: Acceptance,
  ip: string,
): Promise<{ readonly login: string }> {
  const { db, clock, random, people } = context;
  const digest = tokenDigest(token);
  // Hashing is slow: nobody without a token gets that far.
  const seen = await peekEmailToken(db, digest, "invitation", clock.now());
  if (seen === null) return rejectToken();
  const login = (chosen ?? seen.email).toLowerCase();
  assertValid(login, password);
  const passwordHash = await hashPassword(password, people.hashing, random);
  const now = clock.now();
  return db.transaction(async (tx) => {
    const taken = await takeEmailToken(tx, digest, "invitation", now);
    if (taken === null) return rejectToken();
    const { accountId } = taken;
    const invitationId = present(taken.invitationId, "the invitation of a token");
    const members = await lockMembers(tx, accountId);
    const invitation = await lockInvitation(tx, accountId, invitationId);
    if (invitation === null || invitation.acceptedAt !== null) return rejectToken();
    const { name, role, wallets, invitedByMemberId } = invitation;
    const inviter = present(
      members.find(({ id }) => id === invitedByMemberId),
      "the inviting member",
    );
    const rights = { role, wallets, isActive: true };
    const isStillGranted =
      memberChangeFault(stateOf(inviter), null, rights, members.length) === null;
    const own = wallets === "all" ? null : await readOwnWallets(tx, accountId, [...wallets.keys()]);
    if (!isStillGranted || (wallets !== "all" && own?.size !== wallets.size)) return rejectToken();
    const member = { accountId, name, role, wallets, createdAt: now };
    const memberId = await storeMember(tx, { ...member, createdByMemberId: invitedByMemberId });
    const person = { accountId, memberId };
    const origin = { isInitial: false, givenByMemberId: invitedByMemberId, givenAt: now };
    await assignLogin(tx, person, { login, passwordHash }, origin);
    await saveContactEmail(tx, person, taken.email, newUnsubscribeKey(random));
    await storeAcceptance(tx, accountId, invitationId, now, memberId);
    await recordAudit(tx, {
      by: { ...person, ip },
      action: "invitation.accepted",
      object: { type: "invitation", id: invitationId },
      summary: { name, login, email: taken.email },
      at: now,
    });
    return { login };
  });
}

function assertValid(login: string, password: string): void {
  const faults: Rejection[] = [];
  const ofLogin = loginFault(login);
  if (ofLogin !== null)
    faults.push(rejection("invalidValue", ofLogin, { pointer: "/data/attributes/login" }));
  const ofPassword = passwordFault(password, login);
  if (ofPassword !== null)
    faults.push(rejection("invalidValue", ofPassword, { pointer: "/data/attributes/password" }));
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
}
