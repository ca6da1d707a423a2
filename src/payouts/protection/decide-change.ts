import type { Actor } from "../../accounts/actor.ts";
import { actingMemberId, auditActor } from "../../accounts/actor.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { lockMembers } from "../../accounts/members/lock-members.ts";
import { readAccessOrigins } from "../../accounts/members/read-access-origins.ts";
import { requireConfirmed, requirePerson } from "../../accounts/people/require-person.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { awaitTurnOfThresholds } from "../travel-rule/change-threshold.ts";
import { applyChange } from "./apply-change.ts";
import { type ChangeRefusal, whyNotApproveChange, whyNotWaiting } from "./decide-approval.ts";
import { changeSummary } from "./describe-change.ts";
import { decideChange, readChangeRow } from "./protection-change.store.ts";
import type { ProtectionChange } from "./protection-change.ts";
import {
  assertStillProtector,
  type ProtectionContext,
  requireProtector,
} from "./protection-context.ts";

/** What the operator's command line decides with. */
type OperatorContext = Pick<ProtectionContext, "db" | "clock" | "currencies">;

/**
 * Approves a waiting change and applies it, in one transaction. The caller is another person, Owner or Admin, who is independent of the member who
 * asked. Null when the account has no such change. Rejects permissionDenied, confirmationDue, and invalidValue when it waits no more or
 * the operator's limits no longer allow it.
 */
export function approveChange(
  context: ProtectionContext,
  principal: Principal,
  id: string,
): Promise<ProtectionChange | null> {
  requireProtector(principal);
  requireConfirmed(context, principal);
  return decideLocked(context, principal, id, "applied", async (tx, change, now) => {
    const origins = await readAccessOrigins(tx, principal.accountId);
    refuse(whyNotApproveChange(change, principal, origins, context.people, now));
  });
}

/** Rejects a waiting change of another member, as any person who is Owner or Admin may. Otherwise as `approveChange`. */
export function rejectChange(
  context: ProtectionContext,
  principal: Principal,
  id: string,
): Promise<ProtectionChange | null> {
  requireProtector(principal);
  requirePerson(principal);
  return decideLocked(context, principal, id, "rejected", (_tx, change) => {
    if (change.createdByMemberId === principal.memberId)
      reject("permissionDenied", "You asked for this change. Withdraw it instead.");
    return Promise.resolve();
  });
}

/** Withdraws a change that the caller asked for. Otherwise as `rejectChange`. */
export function withdrawChange(
  context: ProtectionContext,
  principal: Principal,
  id: string,
): Promise<ProtectionChange | null> {
  requireProtector(principal);
  requirePerson(principal);
  return decideLocked(context, principal, id, "withdrawn", (_tx, change) => {
    if (change.createdByMemberId !== principal.memberId)
      reject("permissionDenied", "Another member asked for this change. Reject it instead.");
    return Promise.resolve();
  });
}

/** Decides a change as the operator, who needs nobody's approval. Null when the account has no such change. */
export function decideAsOperator(
  context: OperatorContext,
  accountId: string,
  id: string,
  status: "applied" | "rejected",
): Promise<ProtectionChange | null> {
  return decideLocked(context, { accountId }, id, status, () => Promise.resolve());
}

const actions = {
  applied: "protection.approved",
  rejected: "protection.rejected",
  withdrawn: "protection.withdrawn",
} as const;

async function decideLocked(
  { db, clock, currencies }: OperatorContext,
  by: Principal | { readonly accountId: string },
  id: string,
  status: keyof typeof actions,
  assertAllowed: (tx: Executor, change: ProtectionChange, now: Instant) => Promise<void>,
): Promise<ProtectionChange | null> {
  const { accountId } = by;
  const actor: Actor = "memberId" in by ? by : "operator";
  const now = clock.now();
  return db.transaction(async (tx) => {
    // Every change of the account's limits takes this lock, so what is read below stays as it is.
    const members = await lockMembers(tx, accountId);
    if ("memberId" in by) assertStillProtector(members, by);
    const change = await readLockedChange(tx, accountId, id);
    if (change === null) return null;
    await assertAllowed(tx, change, now);
    refuse(whyNotWaiting(change, now));
    assert(await decideChange(tx, change, status, actingMemberId(actor), now), "it still waits");
    if (status === "applied") await applyChange(tx, currencies, change, now);
    await recordAudit(tx, {
      by: auditActor(actor, accountId),
      action: actions[status],
      at: now,
      object: { type: "protection-change", id },
      summary: changeSummary(change, currencies),
    });
    return present(await readChangeRow(tx, accountId, id), "the decided change");
  });
}

/** A change that stays as it is until the transaction ends, if the account is locked: that of a threshold may end through another account. */
export async function readLockedChange(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<ProtectionChange | null> {
  const change = await readChangeRow(tx, accountId, id);
  if (change?.kind !== "travel_rule_threshold") return change;
  await awaitTurnOfThresholds(tx);
  return readChangeRow(tx, accountId, id);
}

function refuse(refusal: ChangeRefusal | null): void {
  if (refusal !== null) reject(refusal.name, refusal.detail);
}
