import { ofAccount } from "../../platform/db/account-scope.ts";
import {
  bytes,
  columnList,
  group,
  height,
  id,
  instant,
  jsonObject,
  orNull,
  type Row,
  recordReader,
  text,
} from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { AuditEntry, AuditSummary, ShownAuditEntry, StoredAuditEntry } from "./audit-entry.ts";
import { auditFilters, auditSort } from "./audit-filters.ts";

export type AuditHead = { readonly seq: number; readonly hash: Uint8Array };

type HeadRow = { seq: string; hash: Uint8Array };

const openHead = statement<HeadRow>(
  "audit.open-head",
  `insert into audit_head (account_id, seq, hash) values ($1, 0, $2)
   on conflict (account_id) do update set seq = audit_head.seq
   returning seq, hash`,
);

const insertEntries = statement(
  "audit.insert",
  `insert into audit_entry (account_id, seq, action, member_id, credential_id, object_type, object_id, ip, summary,
                            created_at, hash)
   select $1, * from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[],
                            $9::jsonb[], $10::timestamptz[], $11::bytea[])`,
);

const moveHead = statement(
  "audit.move-head",
  "update audit_head set seq = $2, hash = $3 where account_id = $1",
);

const entryFields = {
  accountId: id("account_id"),
  seq: height("seq"),
  action: text("action"),
  memberId: orNull(id("member_id")),
  credentialId: orNull(id("credential_id")),
  object: orNull(group({ type: text("object_type"), id: text("object_id") })),
  ip: orNull(text("ip")),
  summary: jsonObject<AuditSummary>("summary"),
  at: instant("created_at"),
};
const storedFields = { id: id("id"), hash: bytes("hash") };
const columns = columnList({ ...storedFields, ...entryFields }, "e");
const readEntry = recordReader(entryFields);
const readStored = recordReader(storedFields);

const selectAfter = statement<Row>(
  "audit.after",
  `select ${columns} from audit_entry e where e.account_id = $1 and e.seq > $2 order by e.seq limit $3`,
);

const selectHeads = statement<HeadRow & { account_id: string }>(
  "audit.heads",
  `select a.id as account_id, coalesce(h.seq, 0) as seq, coalesce(h.hash, $1) as hash
   from account a left join audit_head h on h.account_id = a.id order by a.id`,
);

const selectOne = statement<Row & { member_name: string | null }>(
  "audit.one",
  `select ${columns}, m.name as member_name from audit_entry e
   left join member m on m.account_id = e.account_id and m.id = e.member_id
   where e.account_id = $1 and e.id = $2`,
);

const list: ListSql = {
  name: "audit.list",
  select: `${columns}, m.name as member_name`,
  from: "audit_entry e left join member m on m.account_id = e.account_id and m.id = e.member_id",
  filters: auditFilters,
  sort: auditSort,
};

/** The number and hash of the newest entry, locked until the transaction ends. */
export async function lockAuditHead(
  db: Executor,
  accountId: string,
  start: Uint8Array,
): Promise<AuditHead> {
  const [row] = await db.query(openHead, [accountId, start]);
  return { seq: Number(row?.seq ?? 0), hash: row?.hash ?? start };
}

/** Appends entries and moves the head to `head`. */
export async function storeAuditEntries(
  db: Executor,
  accountId: string,
  entries: readonly { readonly entry: AuditEntry; readonly hash: Uint8Array }[],
  head: AuditHead,
): Promise<void> {
  const each = <Value>(read: (entry: AuditEntry) => Value): readonly Value[] =>
    entries.map(({ entry }) => read(entry));
  await Promise.all([
    db.query(insertEntries, [
      accountId,
      each((entry) => entry.seq),
      each((entry) => entry.action),
      each((entry) => entry.memberId),
      each((entry) => entry.credentialId),
      each((entry) => entry.object?.type ?? null),
      each((entry) => entry.object?.id ?? null),
      each((entry) => entry.ip),
      each((entry) => JSON.stringify(entry.summary)),
      each((entry) => formatTimestamp(entry.at)),
      entries.map(({ hash }) => hash),
    ]),
    db.query(moveHead, [accountId, head.seq, head.hash]),
  ]);
}

/** The entries after number `after`, in order. */
export async function readEntriesAfter(
  db: Executor,
  accountId: string,
  after: number,
  limit: number,
): Promise<readonly StoredAuditEntry[]> {
  return (await db.query(selectAfter, [accountId, after, limit])).map((row) => toEntry(row));
}

/** The head of every account's log. */
export async function readAuditHeads(
  db: Executor,
  start: Uint8Array,
): Promise<readonly (AuditHead & { readonly accountId: string })[]> {
  const rows = await db.query(selectHeads, [start]);
  return rows.map((row) => ({ accountId: row.account_id, seq: Number(row.seq), hash: row.hash }));
}

/** One page of an account's log. */
export async function readAuditPage(
  db: Executor,
  accountId: string,
  query: ListQuery,
): Promise<Page<ShownAuditEntry>> {
  const page = await fetchPage<Row & { member_name: string | null }>(
    db,
    list,
    [ofAccount("e.account_id", accountId)],
    query,
  );
  return mapPage(page, (row) => ({ ...toEntry(row), memberName: row.member_name }));
}

/** The entry with this id; null when the account has none. */
export async function readAuditEntry(
  db: Executor,
  accountId: string,
  id: string,
): Promise<ShownAuditEntry | null> {
  const [row] = await db.query(selectOne, [accountId, id]);
  return row === undefined ? null : { ...toEntry(row), memberName: row.member_name };
}

function toEntry(row: Row): StoredAuditEntry {
  return { ...readStored(row), entry: readEntry(row) };
}
