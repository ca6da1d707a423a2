import { createHash } from "node:crypto";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** What changed, for people to read. Never contains a secret, password, code or travel-rule data. */
export type AuditSummary = Readonly<Record<string, string | boolean | readonly string[] | null>>;

export type AuditObject = { readonly type: string; readonly id: string };

/** An entry of an account's audit log. */
export type AuditEntry = {
  readonly accountId: string;
  /** From 1 without gaps, per account. */
  readonly seq: number;
  readonly action: string;
  /** Null together with `credentialId`: the operator at the command line. */
  readonly memberId: string | null;
  readonly credentialId: string | null;
  readonly object: AuditObject | null;
  readonly ip: string | null;
  readonly summary: AuditSummary;
  readonly at: Instant;
};

/** The hash that precedes an account's first entry. */
export const auditStart = new Uint8Array(32);

/** An entry's hash: the SHA-256 of the previous entry's hash and of this entry's members as JSON in a fixed order. */
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

/** A stored entry with its hash. */
export type StoredAuditEntry = {
  readonly id: string;
  readonly entry: AuditEntry;
  readonly hash: Uint8Array;
};

export type ShownAuditEntry = StoredAuditEntry & { readonly memberName: string | null };
