import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { lockMembers } from "../../accounts/members/lock-members.ts";
import type { Member } from "../../accounts/members/member.ts";
import { readAccessOrigins } from "../../accounts/members/read-access-origins.ts";
import { assertOperator } from "../../accounts/operator.ts";
import { requireConfirmed } from "../../accounts/people/require-person.ts";
import type { Principal } from "../../accounts/principal.ts";
import { recordNotices } from "../../notifications/record-notices.ts";
import { tellAdministrators } from "../../notifications/tell-administrators.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { awaitTurnOfThresholds } from "../travel-rule/change-threshold.ts";
import { applyChange } from "./apply-change.ts";
import { hasApprover } from "./decide-approval.ts";
import { changeNotice, changeSummary, describeChange, stateChange } from "./describe-change.ts";
import { expireOverdue } from "./expire-overdue.ts";
import {
  insertChange,
  readChangeRow,
  readWaitingChanges,
  wasAccessTaken,
} from "./protection-change.store.ts";
import type { NewProtectionChange, ProtectionChange } from "./protection-change.ts";
import {
  accessTakenSeconds,
  approvalSeconds,
  assertStillProtector,
  type ProtectionContext,
  requireProtector,
} from "./protection-context.ts";
import { type ChangeRequest, type ReadChange, readChange } from "./read-change.ts";

/** Most changes of an account that wait at the same time. */
export const waitingMax = 50;

/**
 * Changes a limit or the allowlist of the caller's account. What tightens applies at once. What loosens waits: for another member who approves
 * it within seven days, or, where nobody else could, until `appliesAt`. Rejects permissionDenied, confirmationDue, invalidValue and
 * addressRefused.
 */
export async function askForChange(
  context: ProtectionContext,
  principal: Principal,
  request: ChangeRequest,
): Promise<ProtectionChange> {
  requireProtector(principal);
  requireConfirmed(context, principal);
  const { db, clock } = context;
  const { accountId } = principal;
  const now = clock.now();
  return db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    assertStillProtector(members, principal);
    if (request.kind === "travel_rule_threshold") {
      await assertOperator(tx, principal);
      await awaitTurnOfThresholds(tx);
    }
    const read = await readChange(tx, context, accountId, request);
    const appliesAt = await whenToApply(tx, context, principal, members, read, now);
    const isApplied = appliesAt !== null && appliesAt <= now;
    const change: NewProtectionChange = {
      accountId,
      ...read.content,
      loosens: read.loosens,
      note: request.note ?? "",
      status: isApplied ? "applied" : "waiting",
      createdByMemberId: principal.memberId,
      createdAt: now,
      appliesAt: isApplied ? null : appliesAt,
      expiresAt: isApplied ? null : addSeconds(appliesAt ?? now, approvalSeconds),
      decidedByMemberId: isApplied ? principal.memberId : null,
      decidedAt: isApplied ? now : null,
    };
    if (isApplied) await applyChange(tx, context.currencies, change, now);
    else await assertMayWait(tx, principal, change, now);
    const id = await insertChange(tx, change);
    if (!isApplied) await tell(tx, context, change, id, members, now);
    await recordAudit(tx, {
      by: principal,
      action: isApplied ? "protection.changed" : "protection.requested",
      at: now,
      object: { type: "protection-change", id },
      summary: changeSummary(change, context.currencies),
    });
    return present(await readChangeRow(tx, accountId, id), "the new change");
  });
}

/** When the change applies without another member: now if it tightens; null if it needs one. */
async function whenToApply(
  tx: Executor,
  context: ProtectionContext,
  principal: Principal,
  members: readonly Member[],
  { loosens }: ReadChange,
  now: Instant,
): Promise<Instant | null> {
  if (!loosens) return now;
  const needsApproval = await needsAnotherMember(tx, principal, members, now);
  return needsApproval ? null : addSeconds(now, context.looseningWaitSeconds);
}

/** Whether what the caller loosens waits for another member, not for the period. */
export async function needsAnotherMember(
  db: Executor,
  { accountId, memberId }: Principal,
  members: readonly Member[],
  now: Instant,
): Promise<boolean> {
  const origins = await readAccessOrigins(db, accountId);
  if (hasApprover(members, origins, memberId, now)) return true;
  // Who has just removed the others would otherwise need none of them.
  return wasAccessTaken(db, accountId, addSeconds(now, -accessTakenSeconds));
}

async function assertMayWait(
  tx: Executor,
  principal: Principal,
  { subject }: NewProtectionChange,
  now: Instant,
): Promise<void> {
  await expireOverdue(tx, principal.accountId, now);
  const waiting = await readWaitingChanges(tx, principal.accountId);
  const same = waiting.find((change) => change.subject === subject);
  if (same !== undefined)
    reject("invalidValue", `Change ${same.id} of the same setting waits. Withdraw it first.`, {
      pointer: "/data",
    });
  if (waiting.length >= waitingMax)
    reject("invalidValue", `At most ${waitingMax} changes can wait at the same time.`, {
      pointer: "/data",
    });
}

async function tell(
  tx: Executor,
  { currencies }: ProtectionContext,
  change: NewProtectionChange,
  id: string,
  members: readonly Member[],
  now: Instant,
): Promise<void> {
  const asker = members.find((member) => member.id === change.createdByMemberId);
  const by = present(asker, "the member who asks").name;
  if (change.appliesAt === null) {
    await recordNotices(tx, [changeNotice(change, id, by, currencies)], now);
    return;
  }
  const content = {
    id,
    by,
    change: describeChange(change, currencies),
    stated: stateChange(change, currencies),
    applies_at: formatTimestamp(change.appliesAt),
  };
  await tellAdministrators(tx, change.accountId, "protection_change", content, now);
}
