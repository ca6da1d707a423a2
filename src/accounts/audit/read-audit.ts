import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { accountAdministratorsOnly } from "../administrators-only.ts";
import type { Principal } from "../principal.ts";
import { readAuditEntry, readAuditHeads, readAuditPage, readEntriesAfter } from "./audit.store.ts";
import { auditStart, hashEntry, type ShownAuditEntry } from "./audit-entry.ts";

/** The log names the objects of every wallet. */
const assertAdministrator = accountAdministratorsOnly(
  "Only an Owner or Admin may view the audit log.",
);

/** One page of the account's audit log. Rejects `permissionDenied` unless the caller is an Owner or Admin who sees all wallets. */
export function listAuditEntries(
  context: { readonly db: Executor },
  principal: Principal,
  query: ListQuery,
): Promise<Page<ShownAuditEntry>> {
  assertAdministrator(principal);
  return readAuditPage(context.db, principal.accountId, query);
}

/** The entry with this id; null when the account has none. Rejects as `listAuditEntries` does. */
export function findAuditEntry(
  context: { readonly db: Executor },
  principal: Principal,
  id: string,
): Promise<ShownAuditEntry | null> {
  assertAdministrator(principal);
  return readAuditEntry(context.db, principal.accountId, id);
}

export type AuditVerdict = {
  readonly accountId: string;
  readonly entries: number;
  /** Hex. Stored outside the database, it reveals whether the whole log was rewritten. */
  readonly head: string;
  /** Null: the chain is intact. */
  readonly fault: string | null;
};

const step = 1_000;

/** Verifies the hash chain of every account's audit log from the first entry to the head. */
export async function verifyAudit(db: Executor): Promise<readonly AuditVerdict[]> {
  const verdicts: AuditVerdict[] = [];
  for (const { accountId, seq, hash } of await readAuditHeads(db, auditStart)) {
    const fault = await findFault(db, accountId, { seq, hash });
    verdicts.push({ accountId, entries: seq, head: Buffer.from(hash).toString("hex"), fault });
  }
  return verdicts;
}

/** Entries appended in the meantime come after the head that was read, and are not verified. */
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
  return Buffer.from(previous).equals(head.hash) ? null : "the head does not match the last entry";
}
