import { mayAdminister, type Role, roles, type WalletRights } from "../principal.ts";

/** What decides over a change of a member. */
export type MemberState = {
  readonly role: Role;
  readonly wallets: WalletRights;
  readonly isActive: boolean;
};

export type Acting = MemberState & { readonly id: string };

/** Why a change of a member is refused. */
export type MemberFault = {
  readonly name: "permissionDenied" | "invalidValue";
  readonly detail: string;
  readonly attribute: "role" | "wallet_grants" | null;
};

/**
 * Decides over a member's change; null: it may be. `before` null: the member is new. Owners and Admins change members, Admins no Owners;
 * nobody gives what they do not have; nobody raises or ends themselves; and one active Owner stays.
 */
export function memberFault(
  actor: Acting,
  before: Acting | null,
  after: MemberState,
  otherActiveOwners: number,
): MemberFault | null {
  const fault = managingFault(actor, before ?? after) ?? managingFault(actor, after);
  if (fault !== null) return fault;
  if (before?.id === actor.id) {
    if (rank(after.role) > rank(before.role))
      return denied("Nobody raises their own role.", "role");
    if (!after.isActive) return denied("Nobody deactivates themselves: another Owner does.");
  }
  const wasOwner = before !== null && before.role === "owner" && before.isActive;
  const isOwner = after.role === "owner" && after.isActive;
  if (wasOwner && !isOwner && otherActiveOwners === 0)
    return {
      name: "invalidValue",
      detail: "At least one active Owner stays in the account.",
      attribute: after.isActive ? "role" : null,
    };
  return null;
}

/** Why somebody may not act on a member, its credentials and its access; null when they may. */
export function managingFault(
  actor: Omit<MemberState, "isActive"> & { readonly isActive?: boolean },
  member: Pick<MemberState, "role" | "wallets">,
): MemberFault | null {
  if (actor.isActive === false || !mayAdminister(actor))
    return denied("Only an Owner or Admin may do this.");
  if (actor.role === "admin" && member.role === "owner")
    return denied("An Admin may not act on Owners, nor make one.", "role");
  return covers(actor.wallets, member.wallets)
    ? null
    : denied("You cannot give or change rights to wallets that you do not have.", "wallet_grants");
}

/** Whether the first rights hold all of the second. */
export function covers(rights: WalletRights, others: WalletRights): boolean {
  if (rights === "all") return true;
  if (others === "all") return false;
  return [...others].every(([wallet, { mayPay }]) => {
    const own = rights.get(wallet);
    return own !== undefined && (own.mayPay || !mayPay);
  });
}

function rank(role: Role): number {
  return -roles.indexOf(role);
}

function denied(detail: string, attribute: MemberFault["attribute"] = null): MemberFault {
  return { name: "permissionDenied", detail, attribute };
}
