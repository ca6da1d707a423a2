import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { expireChanges } from "./protection-change.store.ts";

/** Ends the wait of an account's changes that nobody approved in time. Take the account's lock before. */
export async function expireOverdue(tx: Executor, accountId: string, now: Instant): Promise<void> {
  for (const id of await expireChanges(tx, accountId, now))
    await recordAudit(tx, {
      by: { accountId },
      action: "protection.expired",
      at: now,
      object: { type: "protection-change", id },
      summary: {},
    });
}
