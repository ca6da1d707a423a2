import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import {
  type Actor,
  type AdministrationContext,
  actingMemberId,
  assertAdministratingPerson,
  auditActor,
  type Target,
} from "../actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { requireConfirmed } from "../people/require-person.ts";
import type { Principal } from "../principal.ts";
import { confirmationFault, oldEnoughAt } from "./access-origins.ts";
import { lockMembers } from "./lock-members.ts";
import { readMember, storeConfirmation } from "./member.store.ts";
import type { Member } from "./member.ts";
import { readAccessOrigins } from "./read-access-origins.ts";

type ConfirmationContext = Pick<AdministrationContext, "db" | "clock" | "people">;

/**
 * Confirms a member whom another member created or gave its access: from now on it approves payouts above the account's limits. Null
 * when the account has no such member. Members need to be Owners and independent of the confirmed one (`confirmationFault`). While the
 * member has an initial password, the member who gave it out could act on the confirmation. Rejects `permissionDenied`,
 * `confirmationDue`, and `notFound` for an unknown account.
 */
export async function confirmMember(
  context: ConfirmationContext,
  actor: Actor,
  { accountId, id }: Target,
): Promise<Member | null> {
  assertAdministratingPerson(actor, accountId);
  if (actor !== "operator") {
    if (actor.role !== "owner") reject("permissionDenied", "Only an Owner may confirm members.");
    requireConfirmed(context, actor);
  }
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    const member = members.find((candidate) => candidate.id === id);
    if (member === undefined) return null;
    if (actor !== "operator") await assertMayConfirm(context, tx, actor, id, at);
    if (member.mustChangePassword)
      reject("permissionDenied", "This member must change the initial password first.");
    const by = { memberId: actingMemberId(actor), at };
    if (!(await storeConfirmation(tx, accountId, id, by))) return member;
    await recordAudit(tx, {
      by: auditActor(actor, accountId),
      action: "member.confirmed",
      object: { type: "member", id },
      summary: { name: member.name, role: member.role },
      at,
    });
    return readMember(tx, accountId, id);
  });
}

async function assertMayConfirm(
  { people }: ConfirmationContext,
  tx: Executor,
  { accountId, memberId }: Principal,
  confirmedId: string,
  now: Instant,
): Promise<void> {
  const origins = await readAccessOrigins(tx, accountId);
  const oldEnough = oldEnoughAt(
    origins,
    { memberId, credentialId: null },
    people.approverMinAgeSeconds,
  );
  if (oldEnough !== null && oldEnough > now)
    reject(
      "permissionDenied",
      `Your access is too recent. You can confirm members from ${formatTimestamp(oldEnough)} on.`,
    );
  const fault = confirmationFault(origins, memberId, confirmedId);
  if (fault !== null) reject("permissionDenied", fault);
}
