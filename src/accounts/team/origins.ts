import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { Role } from "../principal.ts";

/** Where a member's access comes from. */
export type MemberOrigin = {
  readonly id: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly createdAt: Instant;
  /** Null: the operator added it. */
  readonly createdBy: string | null;
  /** Another Owner, or the operator, has confirmed it since its access was last given. */
  readonly isConfirmed: boolean;
  /** Who handed out its first password; null: the operator, or it has none. */
  readonly accessGivenBy: string | null;
  readonly accessGivenAt: Instant | null;
};

/** Where a program's credential comes from. */
export type CredentialOrigin = {
  readonly id: string;
  readonly memberId: string;
  readonly createdAt: Instant;
  /** Null: the operator made it. */
  readonly createdBy: string | null;
};

export type Origins = {
  readonly members: ReadonlyMap<string, MemberOrigin>;
  readonly credentials: ReadonlyMap<string, CredentialOrigin>;
};

/** A member who acts, and the credential that it acts by; null: it is a person. */
export type ActingAs = { readonly memberId: string; readonly credentialId: string | null };

/**
 * Everyone whose access led to this one: who added the member, who handed out its first password unless the member was confirmed
 * since, who made its credential, and so on for each of them.
 */
export function makersOf(
  { members, credentials }: Origins,
  { memberId, credentialId }: ActingAs,
): ReadonlySet<string> {
  const makers = new Set<string>();
  const add = (id: string | null | undefined): void => {
    if (id == null || makers.has(id)) return;
    makers.add(id);
    addMakersOfMember(id);
  };
  const addMakersOfMember = (id: string): void => {
    const member = members.get(id);
    add(member?.createdBy);
    if (member?.isConfirmed !== true) add(member?.accessGivenBy);
  };
  addMakersOfMember(memberId);
  const maker = credentialId === null ? null : credentials.get(credentialId)?.createdBy;
  if (maker !== memberId) add(maker);
  return makers;
}

/** From when on the member, its first password and its credential are all at least so many seconds old. */
export function oldEnoughAt(
  { members, credentials }: Origins,
  { memberId, credentialId }: ActingAs,
  seconds: number,
): Instant | null {
  const member = members.get(memberId);
  const given =
    credentialId === null ? member?.accessGivenAt : credentials.get(credentialId)?.createdAt;
  const [first, ...others] = [member?.createdAt, given].filter((time) => time != null);
  if (first === undefined) return null;
  return addSeconds(
    others.reduce((latest, time) => (time > latest ? time : latest), first),
    seconds,
  );
}

/** Whether the account has more than one active Owner. */
export function hasSeveralOwners({ members }: Origins): boolean {
  return activeOwners(members).length > 1;
}

/** Whether a member depends on another member alone, and an Owner other than that one has yet to confirm it. */
export function isUnconfirmed(member: MemberOrigin): boolean {
  return !member.isConfirmed && (member.createdBy !== null || member.accessGivenBy !== null);
}

/**
 * Why an Owner may not confirm a member; null: they may. It takes an Owner who neither gave the member its access nor owes it their
 * own. Where the account has an Owner who shares no maker with the member, it takes such a one: Owners whom one Owner has added are no
 * second opinion.
 */
export function confirmationFault(
  origins: Origins,
  ownerId: string,
  memberId: string,
): string | null {
  if (ownerId === memberId) return "Members do not confirm themselves: another Owner does.";
  const member = origins.members.get(memberId);
  if (member?.createdBy === ownerId || member?.accessGivenBy === ownerId)
    return "You added this member or gave it access: another Owner confirms it.";
  if (makersOf(origins, person(ownerId)).has(memberId))
    return "This member added you or gave you access: another Owner confirms it.";
  const makers = makersOf(origins, person(memberId));
  const independent = activeOwners(origins.members)
    .map(({ id }) => id)
    .filter((id) => id !== memberId && sharesNoMaker(origins, id, memberId, makers));
  if (independent.length === 0 || independent.includes(ownerId)) return null;
  return `Your access and this member's come from the same Owner: member ${independent.join(" or ")} may confirm it.`;
}

function sharesNoMaker(
  origins: Origins,
  id: string,
  memberId: string,
  makers: ReadonlySet<string>,
): boolean {
  const own = makersOf(origins, person(id));
  return !makers.has(id) && !own.has(memberId) && [...own].every((maker) => !makers.has(maker));
}

function person(memberId: string): ActingAs {
  return { memberId, credentialId: null };
}

function activeOwners(members: Origins["members"]): readonly MemberOrigin[] {
  return [...members.values()].filter(({ role, isActive }) => role === "owner" && isActive);
}
