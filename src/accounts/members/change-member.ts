import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type Actor, assertAdministratingPerson, auditActor, type Target } from "../actor.ts";
import type { AuditSummary } from "../audit/audit-entry.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { walletSummary } from "../audit/wallet-summary.ts";
import type { AccountsContext } from "../context.ts";
import { endPersonSessions } from "../people/person-session.store.ts";
import type { Role, WalletRights } from "../principal.ts";
import { assertMemberChange, assertName, assertOwnWallets } from "./assert-member-change.ts";
import type { MemberState } from "./decide-member-change.ts";
import { lockMembers } from "./lock-members.ts";
import { readMember, storeDeactivation, updateMember } from "./member.store.ts";
import type { Member } from "./member.ts";

type ChangeContext = Pick<AccountsContext, "db" | "clock">;

/** Absent members stay as they are. */
export type MemberChange = {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly wallets?: WalletRights | undefined;
};

/**
 * Changes a member's name, role and wallets, from its next request on. Null when the account has no such member. Rejects
 * `permissionDenied`, `notFound` for an unknown account, and `invalidValue`.
 */
export function changeMember(
  context: ChangeContext,
  actor: Actor,
  target: Target,
  change: MemberChange,
): Promise<Member | null> {
  if (change.name !== undefined) assertName(change.name);
  return changeLocked(context, actor, target, (before) => {
    const { name = before.name, role = before.role, wallets = before.wallets } = change;
    return {
      after: { role, wallets, isActive: before.deactivatedAt === null },
      action: "member.changed",
      summary: {
        ...(change.name === undefined ? {} : { name }),
        ...(change.role === undefined ? {} : { role: `${before.role} to ${role}` }),
        ...(change.wallets === undefined ? {} : { wallets: walletSummary(wallets) }),
      },
      write: async (tx) => {
        await assertOwnWallets(tx, target.accountId, wallets);
        await updateMember(tx, { ...target, name, role, wallets });
      },
    };
  });
}

/** Deactivates a member and ends its sessions. Its credentials are refused while it is inactive. Rejects as `changeMember` does. */
export function deactivateMember(
  context: ChangeContext,
  actor: Actor,
  target: Target,
): Promise<Member | null> {
  return setActive(context, actor, target, false);
}

/** Activates a member again; its former sessions stay ended. Rejects as `changeMember` does. */
export function activateMember(
  context: ChangeContext,
  actor: Actor,
  target: Target,
): Promise<Member | null> {
  return setActive(context, actor, target, true);
}

function setActive(
  context: ChangeContext,
  actor: Actor,
  target: Target,
  isActive: boolean,
): Promise<Member | null> {
  const { accountId, id } = target;
  return changeLocked(context, actor, target, (before) => ({
    after: { role: before.role, wallets: before.wallets, isActive },
    action: isActive ? "member.activated" : "member.deactivated",
    summary: { name: before.name },
    write:
      isActive === (before.deactivatedAt === null)
        ? null
        : async (tx, at) => {
            await storeDeactivation(tx, accountId, id, isActive ? null : at);
            // On activation too, so that it never revives a session.
            await endPersonSessions(
              tx,
              { accountId, memberId: id, number: null, except: null },
              at,
            );
          },
  }));
}

type Plan = {
  readonly after: MemberState;
  readonly action: string;
  readonly summary: AuditSummary;
  /** Null: the member already is as requested. */
  readonly write: ((tx: Executor, at: Instant) => Promise<void>) | null;
};

async function changeLocked(
  { db, clock }: ChangeContext,
  actor: Actor,
  { accountId, id }: Target,
  plan: (before: Member) => Plan,
): Promise<Member | null> {
  assertAdministratingPerson(actor, accountId);
  const at = clock.now();
  return db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    const before = members.find((member) => member.id === id);
    if (before === undefined) return null;
    const { after, action, summary, write } = plan(before);
    assertMemberChange(members, actor, before, after);
    if (write === null) return before;
    await write(tx, at);
    const object = { type: "member", id };
    await recordAudit(tx, { by: auditActor(actor, accountId), action, object, summary, at });
    return readMember(tx, accountId, id);
  });
}
