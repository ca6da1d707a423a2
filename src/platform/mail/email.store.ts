import { columnList } from "../db/columns.ts";
import { type Executor, statement } from "../db/database.ts";
import { sealedColumn } from "../db/sealed-column.ts";
import { present } from "../kernel/assert.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp, formatTimestampOrNull } from "../kernel/timestamp.ts";
import {
  type ClaimedEmail,
  claimedEmailFields,
  emailSecretContext,
  type NewEmail,
  readClaimedEmail,
} from "./email.ts";

const nextId = statement<{ id: string }>(
  "email.next-id",
  "select nextval(pg_get_serial_sequence('email', 'id')) as id",
);

/** The next email's id. It is needed before the insert, because the sealed token is bound to the id of its row. */
export async function takeEmailId(tx: Executor): Promise<string> {
  const [row] = await tx.query(nextId, []);
  return present(row, "an id").id;
}

const insert = statement(
  "email.insert",
  `insert into email (account_id, id, member_id, kind, recipient, content, secret_sealed, status, due_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $8, $8)`,
);

/** Inserts an email that is due at once. `secretSealed` is bound to `id`. */
export async function insertEmailRow(
  tx: Executor,
  id: string,
  { accountId, memberId, kind, recipient, content }: NewEmail,
  secretSealed: Uint8Array | null,
  now: Instant,
): Promise<void> {
  const values = [accountId, id, memberId, kind, recipient, JSON.stringify(content), secretSealed];
  await tx.query(insert, [...values, formatTimestamp(now)]);
}

const claim = statement<
  Parameters<typeof readClaimedEmail>[0] & { secret_sealed: Uint8Array | null }
>(
  "email.claim",
  `with candidate as materialized (
     select account_id, id from email
     where status = 'pending' and due_at <= $2 and coalesce(claimed_until <= $2, true)
     order by due_at limit $3 for update skip locked)
   update email e set claimed_until = $1 from candidate c
   where e.account_id = c.account_id and e.id = c.id
   returning ${columnList(claimedEmailFields, "e")}, e.secret_sealed`,
);

/** Claims up to `limit` due emails until `until`, the longest due first. */
export async function claimEmails(
  db: Executor,
  limit: number,
  now: Instant,
  until: Instant,
): Promise<readonly ClaimedEmail[]> {
  const rows = await db.query(claim, [formatTimestamp(until), formatTimestamp(now), limit]);
  return rows.map((row) => ({ ...readClaimedEmail(row), secretSealed: row.secret_sealed }));
}

const complete = statement(
  "email.complete",
  `update email set attempts = attempts + 1, status = $4, due_at = $5, claimed_until = null, last_error = $6, updated_at = $7,
     secret_sealed = case when $4 = 'pending' then secret_sealed end,
     recipient = case when $4 = 'pending' or member_id is not null then recipient end
   where account_id = $1 and id = $2 and status = 'pending' and (claimed_until = $3 or $4 = 'sent')`,
);

/** What came of an attempt; `dueAt` is the next attempt's time while pending. */
export type EmailOutcome = {
  readonly status: "sent" | "pending" | "failed";
  readonly dueAt: Instant | null;
  readonly error: string | null;
};

/** Records an attempt. A success counts even if the claim has expired in the meantime. */
export async function completeEmail(
  db: Executor,
  { accountId, id, claimedUntil }: ClaimedEmail,
  { status, dueAt, error }: EmailOutcome,
  now: Instant,
): Promise<void> {
  await db.query(complete, [
    accountId,
    id,
    formatTimestamp(claimedUntil),
    status,
    formatTimestampOrNull(dueAt),
    error,
    formatTimestamp(now),
  ]);
}

const deleteOver = statement(
  "email.delete-over",
  "delete from email where status <> 'pending' and updated_at <= $1",
);

/** Deletes emails that were sent or given up before `before`. */
export async function deleteEmailsOverBefore(db: Executor, before: Instant): Promise<void> {
  await db.query(deleteOver, [formatTimestamp(before)]);
}

/** The sealed column of the outbox. */
export const emailSealedColumns = [
  sealedColumn({
    table: "email",
    column: "secret_sealed",
    key: "id",
    keyType: "bigint",
    context: emailSecretContext,
  }),
];
