import { mayAdminister, type Role, roles, type WalletRights } from "../principal.ts";
import type { Member } from "./member.ts";

/** The part of a member that its rights depend on. */
export type MemberState = {
  readonly role: Role;
  readonly wallets: WalletRights;
  readonly isActive: boolean;
};

export type IdentifiedMember = MemberState & { readonly id: string };

/** Why a change of a member is rejected. */
export type MemberFault = {
  readonly name: "permissionDenied" | "invalidValue";
  readonly detail: string;
  readonly attribute: "role" | "wallet_grants" | null;
};

/** The state that `memberChangeFault` decides by. */
export function stateOf({ id, role, wallets, deactivatedAt }: Member): IdentifiedMember {
  return { id, role, wallets, isActive: deactivatedAt === null };
}

/**
 * Why a change of a member is rejected; null when it is allowed. `before` null: the member is new. Owners and Admins change members,
 * Admins change no Owners, members grant only rights that they have, no member promotes or deactivates itself, and the account keeps
 * one active Owner. Only the last rule holds for the operator.
 */
export function memberChangeFault(
  actor: IdentifiedMember | "operator",
  before: IdentifiedMember | null,
  after: MemberState,
  otherActiveOwners: number,
): MemberFault | null {
  const fault = actor === "operator" ? null : permissionFault(actor, before, after);
  if (fault !== null) return fault;
  const wasOwner = before !== null && before.role === "owner" && before.isActive;
  const isOwner = after.role === "owner" && after.isActive;
  if (wasOwner && !isOwner && otherActiveOwners === 0)
    return {
      name: "invalidValue",
      detail: "An account needs at least one active Owner.",
      attribute: after.isActive ? "role" : null,
    };
  return null;
}

function permissionFault(
  actor: IdentifiedMember,
  before: IdentifiedMember | null,
  after: MemberState,
): MemberFault | null {
  const fault = managingFault(actor, before ?? after) ?? managingFault(actor, after);
  if (fault !== null || before?.id !== actor.id) return fault;
  // Roles are listed from the highest to the lowest.
  if (roles.indexOf(after.role) < roles.indexOf(before.role))
    return denied("You cannot promote yourself.", "role");
  return after.isActive
    ? null
    : denied("You cannot deactivate yourself. Ask another Owner to do it.");
}

/** Why a member may not change another member, its credentials and its access; null when it may. */
export function managingFault(
  actor: MemberState,
  member: Pick<MemberState, "role" | "wallets">,
): MemberFault | null {
  if (!actor.isActive || !mayAdminister(actor))
    return denied("Only an Owner or Admin may do this.");
  if (actor.role === "admin" && member.role === "owner")
    return denied("An Admin may not change Owners or appoint one.", "role");
  return covers(actor.wallets, member.wallets)
    ? null
    : denied("You cannot grant or change rights to wallets that you do not have.", "wallet_grants");
}

/** Whether `rights` include all of `others`. */
export function covers(rights: WalletRights, others: WalletRights): boolean {
  if (rights === "all") return true;
  if (others === "all") return false;
  return [...others].every(([wallet, { mayPay }]) => {
    const own = rights.get(wallet);
    return own !== undefined && (own.mayPay || !mayPay);
  });
}

function denied(detail: string, attribute: MemberFault["attribute"] = null): MemberFault {
  return { name: "permissionDenied", detail, attribute };
}
