import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { queueEmail } from "../../platform/mail/queue-email.ts";
import {
  type AdministrationContext,
  assertAdministrator,
  assertConfirmedAdministrator,
  type Target,
} from "../actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { walletSummary } from "../audit/wallet-summary.ts";
import {
  assertMayManage,
  assertMemberChange,
  assertName,
  assertOwnWallets,
} from "../members/assert-member-change.ts";
import { lockMembers } from "../members/lock-members.ts";
import type { Member } from "../members/member.ts";
import { readContactLanguage } from "../people/contact.store.ts";
import { storeEmailToken } from "../people/email-token.store.ts";
import { limitEmails } from "../people/limit-emails.ts";
import { assertSendsEmail, readEmailAddress } from "../people/verify-email.ts";
import type { Principal, Role, WalletRights } from "../principal.ts";
import { generateOpaqueToken } from "../tokens/opaque-token.ts";
import {
  extendInvitation,
  insertInvitation,
  lockInvitation,
  readInvitations,
  readShopName,
  removeInvitation,
  removeInvitationTokens,
} from "./invitation.store.ts";
import type { Invitation } from "./invitation.ts";

export type InvitationContext = AdministrationContext & { readonly sendsEmail: boolean };

export type NewInvitation = {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly wallets: WalletRights;
};

const invitationSeconds = 7 * 86_400;
const pendingMax = 100;

/** The account's invitations, oldest first. Rejects `permissionDenied` unless the caller is Owner or Admin. */
export function listInvitations(
  { db }: Pick<InvitationContext, "db">,
  principal: Principal,
): Promise<readonly Invitation[]> {
  assertAdministrator(principal, principal.accountId);
  return readInvitations(db, principal.accountId);
}

/**
 * Sends a person a link with which they become a member with these rights, which the caller must have. The link works once, for seven
 * days. Rejects `permissionDenied`, `confirmationDue`, `invalidValue`, `throttled`.
 */
export async function inviteMember(
  context: InvitationContext,
  principal: Principal,
  { name, role, wallets, ...input }: NewInvitation,
): Promise<Invitation> {
  const { accountId, memberId } = principal;
  assertConfirmedAdministrator(context, principal, accountId);
  assertSendsEmail(context);
  assertName(name);
  const email = readEmailAddress(input.email);
  await limitEmails(context, `invitation ${email}`);
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    assertMemberChange(members, principal, null, { role, wallets, isActive: true });
    await assertOwnWallets(tx, accountId, wallets);
    const pending = (await readInvitations(tx, accountId)).filter(
      ({ acceptedAt }) => acceptedAt === null,
    );
    if (pending.length >= pendingMax)
      reject("invalidValue", `An account has at most ${pendingMax} open invitations.`);
    if (pending.some((invitation) => invitation.email === email))
      reject(
        "invalidValue",
        "This address is already invited. Send the invitation again instead.",
        {
          pointer: "/data/attributes/email",
        },
      );
    const invitation = {
      email,
      name,
      role,
      wallets,
      invitedByMemberId: memberId,
      createdAt: now,
      expiresAt: addSeconds(now, invitationSeconds),
    };
    const id = await insertInvitation(tx, accountId, invitation);
    const created: Invitation = {
      ...invitation,
      id,
      firstInvitedByMemberId: null,
      acceptedAt: null,
      memberId: null,
    };
    await sendLink(context, tx, principal, members, created, now);
    await recordAudit(tx, {
      by: principal,
      action: "invitation.sent",
      object: { type: "invitation", id },
      summary: { email, name, role, wallets: walletSummary(wallets) },
      at: now,
    });
    return created;
  });
}

/**
 * Sends an invitation again, with a new link that replaces the earlier one, on behalf of the caller, who needs its rights. The
 * member who chose the address still counts as having given the access. Null when the account has no such invitation that is open. Rejects as `inviteMember` does.
 */
export async function resendInvitation(
  context: InvitationContext,
  principal: Principal,
  { accountId, id }: Target,
): Promise<Invitation | null> {
  assertConfirmedAdministrator(context, principal, accountId);
  assertSendsEmail(context);
  const now = context.clock.now();
  const seen = (await readInvitations(context.db, accountId)).find((one) => one.id === id);
  if (seen === undefined) return null;
  await limitEmails(context, `invitation ${seen.email}`);
  return context.db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    const invitation = await lockInvitation(tx, accountId, id);
    if (invitation === null) return null;
    if (invitation.acceptedAt !== null)
      reject("invalidValue", "This invitation has been accepted.");
    const { role, wallets, email } = invitation;
    assertMemberChange(members, principal, null, { role, wallets, isActive: true });
    const expiresAt = addSeconds(now, invitationSeconds);
    await removeInvitationTokens(tx, accountId, id);
    await extendInvitation(tx, accountId, id, expiresAt, principal.memberId);
    const extended = {
      ...invitation,
      expiresAt,
      invitedByMemberId: principal.memberId,
      firstInvitedByMemberId: invitation.firstInvitedByMemberId ?? invitation.invitedByMemberId,
    };
    await sendLink(context, tx, principal, members, extended, now);
    await recordAudit(tx, {
      by: principal,
      action: "invitation.sent",
      object: { type: "invitation", id },
      summary: { email },
      at: now,
    });
    return extended;
  });
}

/**
 * Withdraws an invitation that was not accepted; its link stops working. The caller needs the rights that it would give. False when the
 * account has none. Rejects `permissionDenied`, `confirmationDue`, `invalidValue`.
 */
export async function withdrawInvitation(
  context: InvitationContext,
  principal: Principal,
  { accountId, id }: Target,
): Promise<boolean> {
  assertConfirmedAdministrator(context, principal, accountId);
  return context.db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    const invitation = await lockInvitation(tx, accountId, id);
    if (invitation === null) return false;
    assertMayManage(members, principal, invitation);
    if (invitation.acceptedAt !== null)
      reject("invalidValue", "This invitation has been accepted. Deactivate the member instead.");
    await removeInvitation(tx, accountId, id);
    await recordAudit(tx, {
      by: principal,
      action: "invitation.withdrawn",
      object: { type: "invitation", id },
      summary: { email: invitation.email },
      at: context.clock.now(),
    });
    return true;
  });
}

async function sendLink(
  { random, seal }: InvitationContext,
  tx: Executor,
  { accountId, memberId }: Principal,
  members: readonly Member[],
  { id, email, role, expiresAt }: Invitation,
  now: Instant,
): Promise<void> {
  const { token, digest } = generateOpaqueToken(random);
  const inviter = present(
    members.find((member) => member.id === memberId),
    "the inviting member",
  );
  await storeEmailToken(
    tx,
    digest,
    { purpose: "invitation", accountId, memberId: null, invitationId: id, email },
    now,
    expiresAt,
  );
  const content = {
    account: await readShopName(tx, accountId),
    inviter: inviter.name,
    role,
    // The invited person's own is not known yet.
    language: await readContactLanguage(tx, { accountId, memberId }),
  };
  await queueEmail(
    tx,
    seal,
    { accountId, memberId: null, kind: "invitation", recipient: email, content, secret: token },
    now,
  );
}
