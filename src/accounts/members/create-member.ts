import { present } from "../../platform/kernel/assert.ts";
import {
  type Actor,
  type AdministrationContext,
  actingMemberId,
  assertConfirmedAdministrator,
  auditActor,
} from "../actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { walletSummary } from "../audit/wallet-summary.ts";
import type { Role, WalletRights } from "../principal.ts";
import { assertMemberChange, assertName, assertOwnWallets } from "./assert-member-change.ts";
import { lockMembers } from "./lock-members.ts";
import { readMember, storeMember } from "./member.store.ts";
import type { Member } from "./member.ts";
import { assignLogin, generateInitialLogin, type InitialLogin } from "./person-login.ts";

export type NewMember = {
  readonly accountId: string;
  readonly name: string;
  readonly role: Role;
  readonly wallets: WalletRights;
  /** Null: only programs act as this member, with credentials. */
  readonly login: string | null;
};

/**
 * Creates a member. With `login` it is a person, who signs in with the returned initial password, which cannot be read again. Rejects
 * `permissionDenied`, `confirmationDue`, `notFound` for an unknown account, and `invalidValue`.
 */
export async function createMember(
  context: AdministrationContext,
  actor: Actor,
  { accountId, name, role, wallets, login }: NewMember,
): Promise<{ readonly member: Member; readonly access: InitialLogin | null }> {
  assertConfirmedAdministrator(context, actor, accountId);
  assertName(name);
  const access = login === null ? null : await generateInitialLogin(context, login);
  const at = context.clock.now();
  const by = actingMemberId(actor);
  return context.db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    assertMemberChange(members, actor, null, { role, wallets, isActive: true });
    await assertOwnWallets(tx, accountId, wallets);
    const member = { accountId, name, role, wallets, createdAt: at, createdByMemberId: by };
    const id = await storeMember(tx, member);
    if (access !== null) {
      const initialPassword = { isInitial: true, givenByMemberId: by, givenAt: at };
      await assignLogin(tx, { accountId, memberId: id }, access, initialPassword);
    }
    await recordAudit(tx, {
      by: auditActor(actor, accountId),
      action: "member.created",
      object: { type: "member", id },
      summary: {
        name,
        role,
        wallets: walletSummary(wallets),
        ...(access === null ? {} : { login: access.login }),
      },
      at,
    });
    return { member: present(await readMember(tx, accountId, id), "the new member"), access };
  });
}
