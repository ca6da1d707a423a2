import type { Executor } from "../../platform/db/database.ts";
import { readAuditHeads, readEntriesAfter } from "./audit.store.ts";
import { auditStart, hashEntry } from "./audit-entry.ts";

export type AuditVerdict = {
  readonly accountId: string;
  readonly entries: number;
  /** Hex; whoever keeps it elsewhere sees later whether the log was rewritten as a whole. */
  readonly head: string;
  /** Null: the chain holds. */
  readonly fault: string | null;
};

const step = 1_000;

/** Follows the chain of each account's audit log from its first entry to its head. */
export async function verifyAudit(db: Executor): Promise<readonly AuditVerdict[]> {
  const verdicts: AuditVerdict[] = [];
  for (const { accountId, seq, hash } of await readAuditHeads(db, auditStart)) {
    const fault = await findFault(db, accountId, { seq, hash });
    verdicts.push({ accountId, entries: seq, head: Buffer.from(hash).toString("hex"), fault });
  }
  return verdicts;
}

/** Entries that are written meanwhile lie behind the head that was read, and are not looked at. */
async function findFault(
  db: Executor,
  accountId: string,
  head: { readonly seq: number; readonly hash: Uint8Array },
): Promise<string | null> {
  let at = 0;
  let previous: Uint8Array = auditStart;
  while (at < head.seq) {
    const entries = await readEntriesAfter(db, accountId, at, Math.min(step, head.seq - at));
    if (entries.length === 0) return `entry ${at + 1} is missing`;
    for (const { entry, hash } of entries) {
      if (entry.seq !== at + 1) return `entry ${at + 1} is missing`;
      const expected = hashEntry(previous, entry);
      if (!Buffer.from(expected).equals(hash)) return `entry ${entry.seq} was altered`;
      at = entry.seq;
      previous = hash;
    }
  }
  return Buffer.from(previous).equals(head.hash) ? null : "the head is another entry's";
}
