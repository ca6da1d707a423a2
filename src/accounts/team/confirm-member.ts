import { reject } from "../../platform/kernel/rejection.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { AccountsContext } from "../context.ts";
import { readMember, storeConfirmationOfMember } from "../member.store.ts";
import type { MemberRecord } from "../member-record.ts";
import type { PeopleContext } from "../people/context.ts";
import { requireConfirmed } from "../people/require-person.ts";
import type { Principal } from "../principal.ts";
import { lockedMembers } from "./locked-members.ts";
import { confirmationFault, oldEnoughAt } from "./origins.ts";
import { readOrigins } from "./read-origins.ts";
import { requireAdministratingPerson } from "./require-administrator.ts";

/**
 * As an Owner, vouches for a member whom another one added: from now on it approves payouts above the account's limits. Null when the
 * account has none of that id. Rejects `permissionDenied` (see `confirmationFault`) and `confirmationDue`.
 */
export async function confirmMember(
  context: PeopleContext,
  principal: Principal,
  memberId: string,
): Promise<MemberRecord | null> {
  requireAdministratingPerson(principal);
  if (principal.role !== "owner") reject("permissionDenied", "Only an Owner confirms a member.");
  requireConfirmed(context, principal);
  const { accountId } = principal;
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    const members = await lockedMembers(tx, accountId);
    const member = members.find(({ id }) => id === memberId);
    if (member === undefined) return null;
    const origins = await readOrigins(tx, accountId);
    const owner = { memberId: principal.memberId, credentialId: null };
    const oldEnough = oldEnoughAt(origins, owner, context.people.approverMinAgeSeconds);
    if (oldEnough !== null && oldEnough > at)
      reject(
        "permissionDenied",
        `Your access is too new to confirm members; you may from ${formatTimestamp(oldEnough)} on.`,
      );
    const fault = confirmationFault(origins, principal.memberId, memberId);
    if (fault !== null) reject("permissionDenied", fault);
    const by = { memberId: principal.memberId, at };
    if (!(await storeConfirmationOfMember(tx, accountId, memberId, by))) return member;
    await recordAudit(tx, {
      by: principal,
      action: "member.confirmed",
      object: { type: "member", id: memberId },
      summary: { name: member.name, role: member.role },
      at,
    });
    return readMember(tx, accountId, memberId);
  });
}

/** The same from the operator's command line. False when it is confirmed already. */
export function confirmMemberByOperator(
  context: Pick<AccountsContext, "db" | "clock">,
  { accountId, memberId }: { readonly accountId: string; readonly memberId: string },
): Promise<boolean> {
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    await lockedMembers(tx, accountId);
    if (!(await storeConfirmationOfMember(tx, accountId, memberId, { memberId: null, at })))
      return false;
    await recordAudit(tx, {
      by: { accountId },
      action: "member.confirmed",
      object: { type: "member", id: memberId },
      summary: {},
      at,
    });
    return true;
  });
}
