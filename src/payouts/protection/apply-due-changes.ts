import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { lockMembers } from "../../accounts/members/lock-members.ts";
import { readAccessOrigins } from "../../accounts/members/read-access-origins.ts";
import { tellAdministrators } from "../../notifications/tell-administrators.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { Rejected } from "../../platform/kernel/rejection.ts";
import { applyChange } from "./apply-change.ts";
import { mayStillAsk } from "./decide-approval.ts";
import { readLockedChange } from "./decide-change.ts";
import { changeSummary, describeChange, stateChange } from "./describe-change.ts";
import { decideChange, readDueChanges } from "./protection-change.store.ts";
import type { ProtectionChange } from "./protection-change.ts";
import type { ProtectionContext } from "./protection-context.ts";

type DueContext = Pick<ProtectionContext, "db" | "clock" | "currencies">;

/**
 * Applies the changes whose period is over, and ends those that nobody approved in time; each in its own transaction, under the account's
 * lock, so that any number of processes may run this and each change applies once.
 */
export async function applyDueChanges(context: DueContext, signal: AbortSignal): Promise<void> {
  const { db, clock } = context;
  for (const { accountId, id } of await readDueChanges(db, clock.now())) {
    if (signal.aborted) return;
    try {
      await db.transaction((tx) => conclude(tx, context, accountId, id, true));
    } catch (error) {
      // The operator's limits no longer allow it.
      if (!(error instanceof Rejected)) throw error;
      await db.transaction((tx) => conclude(tx, context, accountId, id, false));
    }
  }
}

async function conclude(
  tx: Executor,
  { clock, currencies }: DueContext,
  accountId: string,
  id: string,
  mayApply: boolean,
): Promise<void> {
  await lockMembers(tx, accountId);
  const now = clock.now();
  const change = await readLockedChange(tx, accountId, id);
  if (change === null || !isDue(change, now)) return;
  const origins = await readAccessOrigins(tx, accountId);
  const applies =
    mayApply && change.appliesAt !== null && mayStillAsk(origins, change.createdByMemberId);
  const isDecided = await decideChange(tx, change, applies ? "applied" : "expired", null, now);
  if (!isDecided) return;
  if (applies) {
    await applyChange(tx, currencies, change, now);
    const content = {
      id,
      by: change.createdByName,
      change: describeChange(change, currencies),
      stated: stateChange(change, currencies),
    };
    await tellAdministrators(tx, accountId, "protection_changed", content, now);
  }
  await recordAudit(tx, {
    by: { accountId },
    action: applies ? "protection.applied" : "protection.expired",
    at: now,
    object: { type: "protection-change", id },
    summary: changeSummary(change, currencies),
  });
}

function isDue({ status, appliesAt, expiresAt }: ProtectionChange, now: Instant): boolean {
  const due = appliesAt ?? expiresAt;
  return status === "waiting" && due !== null && due <= now;
}
