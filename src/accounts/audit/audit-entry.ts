import { createHash } from "node:crypto";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** What changed, in a few words for people: never a secret, a password, a code or travel-rule data. */
export type AuditSummary = Readonly<Record<string, string | boolean | readonly string[] | null>>;

export type AuditObject = { readonly type: string; readonly id: string };

/** An entry as it stands in the log. */
export type AuditEntry = {
  readonly accountId: string;
  /** From 1 without gaps, per account. */
  readonly seq: number;
  readonly action: string;
  /** Null with the credential: from the command line. */
  readonly memberId: string | null;
  readonly credentialId: string | null;
  readonly object: AuditObject | null;
  readonly ip: string | null;
  readonly summary: AuditSummary;
  readonly at: Instant;
};

/** What the first entry of an account follows. */
export const auditStart = new Uint8Array(32);

/** An entry's hash: SHA-256 over the hash of the one before it and its own members in a fixed order, as JSON. */
export function hashEntry(previous: Uint8Array, entry: AuditEntry): Uint8Array {
  const members = [
    entry.accountId,
    entry.seq,
    entry.action,
    entry.memberId,
    entry.credentialId,
    entry.object?.type ?? null,
    entry.object?.id ?? null,
    entry.ip,
    Object.entries(entry.summary).toSorted(([left], [right]) => (left < right ? -1 : 1)),
    formatTimestamp(entry.at),
  ];
  const digest = createHash("sha256").update(previous).update(JSON.stringify(members)).digest();
  return new Uint8Array(digest);
}

/** An entry as it was stored. */
export type StoredAuditEntry = {
  readonly id: string;
  readonly entry: AuditEntry;
  readonly hash: Uint8Array;
};

export type ShownAuditEntry = StoredAuditEntry & { readonly memberName: string | null };
