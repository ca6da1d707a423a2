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

/** Who did it; a `Principal` is one. Without member and credential: the operator, from the command line. */
export type AuditActor = {
  readonly accountId: string;
  readonly memberId?: string | null;
  readonly credentialId?: string | null;
  readonly ip?: string | null;
  /** Present for a person's session: then no credential was used. */
  readonly person?: unknown;
};

export type AuditRecord = {
  readonly by: AuditActor;
  /** `object.verb` in the past: `payout.approved`, `member.deactivated`. */
  readonly action: string;
  readonly object: AuditObject | null;
  /** What changed, never a secret; empty where the action says it all. */
  readonly summary: AuditSummary;
  readonly at: Instant;
};

/**
 * Writes down what somebody did, in the transaction that does it: `await recordAudit(tx, { by: principal, action:
 * "payout.approved", object: { type: "payout", id }, summary: {}, at: now })`. Call it last in the transaction: it takes the account's
 * turn on the log until the commit. Several records at once are entered in their order.
 */
export async function recordAudit(
  tx: Executor,
  ...records: readonly [AuditRecord, ...AuditRecord[]]
): Promise<void> {
  const groups = Map.groupBy(records, (record) => record.by.accountId);
  // Always in one order, so that two transactions over the same accounts do not wait for each other.
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
