import { present } from "../../platform/kernel/assert.ts";
import { Rejected, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { lockMembers } from "../members/lock-members.ts";
import { readOwnWallets, storeMember } from "../members/member.store.ts";
import { assignLogin } from "../members/person-login.ts";
import { saveContactEmail, saveContactTopics } from "../people/contact.store.ts";
import { newUnsubscribeKey } from "../people/contact.ts";
import type { ClientInfo, PeopleContext } from "../people/context.ts";
import { peekEmailToken, takeInvitationToken } from "../people/email-token.store.ts";
import { loginFault, passwordFault } from "../people/password-rules.ts";
import { issueTokens, openSession, type PersonTokens } from "../people/start-session.ts";
import { rejectToken } from "../people/verify-email.ts";
import type { Role } from "../principal.ts";
import { tokenDigest } from "../tokens/opaque-token.ts";
import { hashPassword } from "../tokens/password-hash.ts";
import { lockInvitation, storeAcceptance } from "./invitation.store.ts";
import { isStillGranted } from "./is-still-granted.ts";

export type Acceptance = {
  readonly token: string;
  /** Null: the invited address. */
  readonly login: string | null;
  readonly password: string;
};

export type AcceptanceContext = PeopleContext & {
  /** What members who may decide are notified of by email from the start. */
  readonly decisionTopics: readonly string[];
};

const deciding: ReadonlySet<Role> = new Set<Role>(["owner", "admin", "withdrawals"]);

/**
 * Makes the invited person a member, with a login and a password of their own and the invited address as a verified one, and signs them
 * in. The token works once; it is used up in the transaction that creates the member and opens the session. A new member has no second
 * factor that could be asked for. The inviter, and who sent the newest link, count as having given the access, so a member of an account with
 * several Owners still needs another one's confirmation. Who may approve payouts is notified of what waits for a decision, until they change their settings.
 * Rejects `invalidValue`, also when the inviter may no longer grant these rights.
 */
export async function acceptInvitation(
  context: AcceptanceContext,
  { token, login: chosen, password }: Acceptance,
  from: ClientInfo,
): Promise<{ readonly login: string; readonly tokens: PersonTokens }> {
  const { db, clock, random, people } = context;
  const digest = tokenDigest(token);
  // Hashing is slow: nobody without a token gets that far.
  const seen = await peekEmailToken(db, digest, "invitation", clock.now());
  if (seen === null) return rejectToken();
  const login = (chosen ?? seen.email).toLowerCase();
  assertValid(login, password);
  const passwordHash = await hashPassword(password, people.hashing, random);
  const now = clock.now();
  const session = await db.transaction(async (tx) => {
    const taken = await takeInvitationToken(tx, digest, now);
    if (taken === null) return rejectToken();
    const { accountId } = taken;
    const invitationId = present(taken.invitationId, "the invitation of a token");
    const members = await lockMembers(tx, accountId);
    const invitation = await lockInvitation(tx, accountId, invitationId);
    if (invitation === null || invitation.acceptedAt !== null) return rejectToken();
    const { name, role, wallets, invitedByMemberId, firstInvitedByMemberId } = invitation;
    const own = wallets === "all" ? null : await readOwnWallets(tx, accountId, [...wallets.keys()]);
    if (!isStillGranted(members, invitation) || (wallets !== "all" && own?.size !== wallets.size))
      return rejectToken();
    const member = { accountId, name, role, wallets, createdAt: now };
    const createdByMemberId = firstInvitedByMemberId ?? invitedByMemberId;
    const memberId = await storeMember(tx, { ...member, createdByMemberId });
    const person = { accountId, memberId };
    const origin = { isInitial: false, givenByMemberId: invitedByMemberId, givenAt: now };
    await assignLogin(tx, person, { login, passwordHash }, origin);
    await saveContactEmail(tx, person, taken.email, newUnsubscribeKey(random));
    // Nobody would learn that a payout waits for them.
    const topics = { email: deciding.has(role) ? context.decisionTopics : [], push: null };
    await saveContactTopics(tx, person, topics, newUnsubscribeKey(random));
    await storeAcceptance(tx, accountId, invitationId, now, memberId);
    await recordAudit(tx, {
      by: { ...person, ip: from.ip },
      action: "invitation.accepted",
      object: { type: "invitation", id: invitationId },
      summary: { name, login, email: taken.email },
      at: now,
    });
    return openSession(context, tx, person, from, null);
  });
  return { login, tokens: await issueTokens(context, session, from) };
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
