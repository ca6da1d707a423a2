import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type AuditHead, lockAuditHead, storeAuditEntries } from "./audit.store.ts";
import {
  type AuditEntry,
  type AuditObject,
  type AuditSummary,
  auditStart,
  hashEntry,
} from "./audit-entry.ts";

/** Who acted; a `Principal` is an actor. Without member and credential: the operator at the command line. */
export type AuditActor = {
  readonly accountId: string;
  readonly memberId?: string | null;
  readonly credentialId?: string | null;
  readonly ip?: string | null;
  /** Present for a person's session, which uses no credential. */
  readonly person?: unknown;
};

export type AuditRecord = {
  readonly by: AuditActor;
  /** `object.verb` in the past: `payout.approved`, `member.deactivated`. */
  readonly action: string;
  readonly object: AuditObject | null;
  /** What changed, never a secret; empty if the action is enough. */
  readonly summary: AuditSummary;
  readonly at: Instant;
};

/**
 * Appends entries to the audit log in the transaction of the action: `await recordAudit(tx, { by: principal, action: "payout.approved",
 * object: { type: "payout", id }, summary: {}, at: now })`. Call it last in the transaction, because it locks the account's log until
 * the commit. Several records are appended in their order.
 */
export async function recordAudit(
  tx: Executor,
  ...records: readonly [AuditRecord, ...AuditRecord[]]
): Promise<void> {
  const groups = Map.groupBy(records, (record) => record.by.accountId);
  // Always in the same order, so that two transactions on the same accounts cannot deadlock.
  for (const accountId of [...groups.keys()].toSorted()) {
    await append(tx, accountId, groups.get(accountId) ?? []);
  }
}

async function append(
  tx: Executor,
  accountId: string,
  records: readonly AuditRecord[],
): Promise<void> {
  let head: AuditHead = await lockAuditHead(tx, accountId, auditStart);
  const entries = records.map((record) => {
    const entry = entryOf(record, head.seq + 1);
    head = { seq: entry.seq, hash: hashEntry(head.hash, entry) };
    return { entry, hash: head.hash };
  });
  await storeAuditEntries(tx, accountId, entries, head);
}

function entryOf({ by, action, object, summary, at }: AuditRecord, seq: number): AuditEntry {
  return {
    accountId: by.accountId,
    seq,
    action,
    memberId: by.memberId ?? null,
    credentialId: by.person === undefined ? (by.credentialId ?? null) : null,
    object,
    ip: by.ip ?? null,
    summary,
    at,
  };
}
