import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { storeGrants, storeMember, storeMemberRights } from "../account.store.ts";
import type { AuditSummary } from "../audit/audit-entry.ts";
import { type AuditRecord, recordAudit } from "../audit/record-audit.ts";
import { walletsInWords } from "../audit/wallets-in-words.ts";
import { readMember, readOwnWallets, storeDeactivation, storeMemberName } from "../member.store.ts";
import type { MemberRecord } from "../member-record.ts";
import type { PeopleContext } from "../people/context.ts";
import { endPersonSessions } from "../people/person-session.store.ts";
import { requireConfirmed } from "../people/require-person.ts";
import type { Principal, Role, WalletRights } from "../principal.ts";
import { type MemberState, memberFault } from "./decide-member.ts";
import { type GivenAccess, giveAccess, prepareAccess } from "./give-access.ts";
import { acting, lockedMembers } from "./locked-members.ts";
import { requireAdministratingPerson, requireAdministrator } from "./require-administrator.ts";

export type NewTeamMember = {
  readonly name: string;
  readonly role: Role;
  readonly wallets: WalletRights;
  /** Null: only programs act as this member, by credentials. */
  readonly login: string | null;
};

/** A member and, where it was given access, the password to hand over. */
export type AddedMember = { readonly member: MemberRecord; readonly access: GivenAccess | null };

/**
 * Adds a member; with `login` a person's, whose first password is answered this once. Rejects `permissionDenied`,
 * `confirmationDue` and `invalidValue`.
 */
export async function addTeamMember(
  context: PeopleContext,
  principal: Principal,
  input: NewTeamMember,
): Promise<AddedMember> {
  requireAdministrator(principal);
  requireConfirmed(context, principal);
  const access = input.login === null ? null : await prepareAccess(context, input.login);
  const at = context.clock.now();
  const { accountId } = principal;
  return context.db.transaction(async (tx) => {
    const members = await lockedMembers(tx, accountId);
    const after = { role: input.role, wallets: input.wallets, isActive: true };
    refuse(members, principal, null, after);
    await requireOwnWallets(tx, accountId, input.wallets);
    const stored = await storeMember(tx, {
      accountId,
      name: input.name,
      role: input.role,
      seesAllWallets: input.wallets === "all",
      createdAt: at,
      createdByMemberId: principal.memberId,
    });
    const id = present(stored, "a new member's id");
    if (input.wallets !== "all") await storeGrants(tx, accountId, id, input.wallets);
    const given = { isInitial: true, givenByMemberId: principal.memberId, givenAt: at };
    if (access !== null) await giveAccess(tx, { accountId, memberId: id }, access, given);
    await recordAudit(tx, {
      by: principal,
      action: "member.created",
      object: { type: "member", id },
      summary: {
        name: input.name,
        role: input.role,
        wallets: walletsInWords(input.wallets),
        ...(access === null ? {} : { login: access.login }),
      },
      at,
    });
    return { member: present(await readMember(tx, accountId, id), "a member just made"), access };
  });
}

export type MemberChange = {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly wallets?: WalletRights | undefined;
};

/** Changes a member's name, role and wallets; null when the account has none of that id. Rejects as adding does. */
export function changeTeamMember(
  context: PeopleContext,
  principal: Principal,
  memberId: string,
  change: MemberChange,
): Promise<MemberRecord | null> {
  return changeLocked(context, principal, memberId, (tx, before, at) => {
    const after: MemberState = {
      role: change.role ?? before.role,
      wallets: change.wallets ?? before.wallets,
      isActive: before.deactivatedAt === null,
    };
    const { accountId } = principal;
    const write = async (): Promise<void> => {
      await requireOwnWallets(tx, accountId, after.wallets);
      if (change.name !== undefined) await storeMemberName(tx, accountId, memberId, change.name);
      await storeMemberRights(tx, {
        accountId,
        memberId,
        role: after.role,
        seesAllWallets: after.wallets === "all",
      });
      if (change.wallets !== undefined)
        await storeGrants(
          tx,
          accountId,
          memberId,
          change.wallets === "all" ? new Map() : change.wallets,
        );
      await recordChange(tx, principal, memberId, {
        action: "member.changed",
        summary: told(before, change),
        at,
      });
    };
    return { after, write };
  });
}

/** Ends a member, its sessions included, or takes it back; null when the account has none of that id. Rejects as changing does. */
export function setMemberActive(
  context: PeopleContext,
  principal: Principal,
  memberId: string,
  isActive: boolean,
): Promise<MemberRecord | null> {
  return changeLocked(context, principal, memberId, (tx, before, at) => {
    const after = { role: before.role, wallets: before.wallets, isActive };
    const write = async (): Promise<void> => {
      const { accountId } = principal;
      if (isActive === (before.deactivatedAt === null)) return;
      await storeDeactivation(tx, accountId, memberId, isActive ? null : at);
      // So that taking the member back takes no session back.
      await endPersonSessions(tx, { accountId, memberId, number: null, except: null }, at);
      await recordChange(tx, principal, memberId, {
        action: isActive ? "member.activated" : "member.deactivated",
        summary: { name: before.name },
        at,
      });
    };
    return { after, write };
  });
}

type Planned = { readonly after: MemberState; readonly write: () => Promise<void> };

async function changeLocked(
  context: PeopleContext,
  principal: Principal,
  memberId: string,
  plan: (tx: Executor, before: MemberRecord, at: Instant) => Planned,
): Promise<MemberRecord | null> {
  requireAdministratingPerson(principal);
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    const members = await lockedMembers(tx, principal.accountId);
    const before = members.find((member) => member.id === memberId);
    if (before === undefined) return null;
    const { after, write } = plan(tx, before, at);
    refuse(members, principal, before, after);
    await write();
    return readMember(tx, principal.accountId, memberId);
  });
}

function refuse(
  members: readonly MemberRecord[],
  principal: Principal,
  before: MemberRecord | null,
  after: MemberState,
): void {
  const actor = present(
    members.find((member) => member.id === principal.memberId),
    "the member who asks",
  );
  const otherOwners = members.filter(
    ({ id, role, deactivatedAt }) =>
      role === "owner" && deactivatedAt === null && id !== before?.id,
  );
  const fault = memberFault(
    acting(actor),
    before === null ? null : acting(before),
    after,
    otherOwners.length,
  );
  if (fault === null) return;
  const { name, detail, attribute } = fault;
  if (attribute === null) reject(name, detail);
  reject(name, detail, { pointer: `/data/attributes/${attribute}` });
}

/** Another account's wallet is told from none by nothing. */
async function requireOwnWallets(
  tx: Executor,
  accountId: string,
  wallets: WalletRights,
): Promise<void> {
  if (wallets === "all") return;
  const own = await readOwnWallets(tx, accountId, [...wallets.keys()]);
  const index = [...wallets.keys()].findIndex((id) => !own.has(id));
  if (index !== -1)
    reject("invalidValue", "There is no such wallet.", {
      pointer: `/data/attributes/wallet_grants/${index}/wallet`,
    });
}

function recordChange(
  tx: Executor,
  principal: Principal,
  memberId: string,
  change: Pick<AuditRecord, "action" | "summary" | "at">,
): Promise<void> {
  return recordAudit(tx, { by: principal, object: { type: "member", id: memberId }, ...change });
}

function told(before: MemberRecord, change: MemberChange): AuditSummary {
  return {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.role === undefined ? {} : { role: `${before.role} to ${change.role}` }),
    ...(change.wallets === undefined ? {} : { wallets: walletsInWords(change.wallets) }),
  };
}
