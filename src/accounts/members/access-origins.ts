import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { Role } from "../principal.ts";

/** Who created a member and gave it access. */
export type MemberOrigin = {
  readonly id: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly createdAt: Instant;
  /** Null: the operator created it. */
  readonly createdBy: string | null;
  /** Another Owner or the operator confirmed it after its access was last given. */
  readonly isConfirmed: boolean;
  /** Who gave it its initial password; null: the operator, or it has none. */
  readonly accessGivenBy: string | null;
  readonly accessGivenAt: Instant | null;
};

/** Who created a program's credential. */
export type CredentialOrigin = {
  readonly id: string;
  readonly memberId: string;
  readonly createdAt: Instant;
  /** Null: the operator. */
  readonly createdBy: string | null;
};

export type AccessOrigins = {
  readonly members: ReadonlyMap<string, MemberOrigin>;
  readonly credentials: ReadonlyMap<string, CredentialOrigin>;
};

/** The member who acts, and the credential it uses; null: a person, who uses none. */
export type ActingAs = { readonly memberId: string; readonly credentialId: string | null };

/**
 * All members who granted this access, directly or through others: the creator of the member, the member who gave it its initial password
 * (unless it was confirmed since), the creator of its credential, and the grantors of each of these.
 */
export function grantorsOf(
  { members, credentials }: AccessOrigins,
  { memberId, credentialId }: ActingAs,
): ReadonlySet<string> {
  const grantors = new Set<string>();
  const add = (id: string | null | undefined): void => {
    if (id == null || grantors.has(id)) return;
    grantors.add(id);
    addGrantorsOf(id);
  };
  const addGrantorsOf = (id: string): void => {
    const member = members.get(id);
    add(member?.createdBy);
    if (member?.isConfirmed !== true) add(member?.accessGivenBy);
  };
  addGrantorsOf(memberId);
  const creator = credentialId === null ? null : credentials.get(credentialId)?.createdBy;
  if (creator !== memberId) add(creator);
  return grantors;
}

/** When the newest of the member, its initial password and its credential becomes `seconds` old; null for an unknown member. */
export function oldEnoughAt(
  { members, credentials }: AccessOrigins,
  { memberId, credentialId }: ActingAs,
  seconds: number,
): Instant | null {
  const member = members.get(memberId);
  const ownGrants =
    credentialId === null ? member?.accessGivenAt : credentials.get(credentialId)?.createdAt;
  const [first, ...others] = [member?.createdAt, ownGrants].filter((time) => time != null);
  if (first === undefined) return null;
  return addSeconds(
    others.reduce((latest, time) => (time > latest ? time : latest), first),
    seconds,
  );
}

/** Whether the account has more than one active Owner. */
export function hasSeveralOwners({ members }: AccessOrigins): boolean {
  return activeOwners(members).length > 1;
}

/** Whether another member created this one or gave it its access, and no other Owner has confirmed it. */
export function isUnconfirmed(member: MemberOrigin): boolean {
  return !member.isConfirmed && (member.createdBy !== null || member.accessGivenBy !== null);
}

/**
 * Why an Owner may not confirm a member; null when it may. The Owner must not have given the member its access, nor owe its own access
 * to it. If the account has an Owner who shares no grantor with the member, only such an Owner may confirm: two Owners
 * created by the same Owner do not check each other.
 */
export function confirmationFault(
  origins: AccessOrigins,
  ownerId: string,
  memberId: string,
): string | null {
  if (ownerId === memberId) return "You can't confirm yourself. Another Owner must do it.";
  const member = origins.members.get(memberId);
  if (member?.createdBy === ownerId || member?.accessGivenBy === ownerId)
    return "You added this member or gave them access. Another Owner must confirm them.";
  if (grantorsOf(origins, person(ownerId)).has(memberId))
    return "This member added you or gave you access. Another Owner must confirm them.";
  const grantors = grantorsOf(origins, person(memberId));
  const independent = activeOwners(origins.members)
    .map(({ id }) => id)
    .filter((id) => id !== memberId && sharesNoGrantor(origins, id, memberId, grantors));
  if (independent.length === 0 || independent.includes(ownerId)) return null;
  return `Your access and this member's come from the same Owner. Member ${independent.join(" or ")} may confirm it.`;
}

function sharesNoGrantor(
  origins: AccessOrigins,
  id: string,
  memberId: string,
  grantors: ReadonlySet<string>,
): boolean {
  const own = grantorsOf(origins, person(id));
  return (
    !grantors.has(id) && !own.has(memberId) && [...own].every((grantor) => !grantors.has(grantor))
  );
}

function person(memberId: string): ActingAs {
  return { memberId, credentialId: null };
}

function activeOwners(members: AccessOrigins["members"]): readonly MemberOrigin[] {
  return [...members.values()].filter(({ role, isActive }) => role === "owner" && isActive);
}
