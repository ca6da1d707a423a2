import {
  bytes,
  columnList,
  id,
  instant,
  integer,
  jsonObject,
  type RecordOf,
  recordReader,
  text,
} from "../db/columns.ts";
import { type Executor, statement } from "../db/database.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp, formatTimestampOrNull } from "../kernel/timestamp.ts";

const messageFields = {
  accountId: id("account_id"),
  id: id("id"),
  subscriptionId: id("subscription_id"),
  topic: text("topic"),
  content: jsonObject("content"),
  /** Attempts made so far. */
  attempts: integer("attempts"),
  createdAt: instant("created_at"),
  /** No other process sends it before then; also identifies the claim. */
  claimedUntil: instant("claimed_until"),
};
const subscriptionFields = {
  endpoint: text("endpoint"),
  publicKey: bytes("public_key"),
  authSealed: bytes("auth_sealed"),
  language: text("language"),
};
const claimedFields = { ...messageFields, ...subscriptionFields };

/** A message that this process sends now, with the browser that it goes to. */
export type ClaimedPush = RecordOf<typeof claimedFields>;

const readClaimed = recordReader(claimedFields);

const claim = statement<Parameters<typeof readClaimed>[0]>(
  "push.claim",
  `with candidate as materialized (
     select account_id, id, subscription_id from push_message
     where status = 'pending' and due_at <= $2 and coalesce(claimed_until <= $2, true)
     order by due_at limit $3 for update skip locked)
   update push_message m set claimed_until = $1
   from candidate c join push_subscription s on s.account_id = c.account_id and s.id = c.subscription_id
   where m.account_id = c.account_id and m.id = c.id
   returning ${columnList(messageFields, "m")}, ${columnList(subscriptionFields, "s")}`,
);

/** Claims up to `limit` due messages until `until`, the longest due first. */
export async function claimPushes(
  db: Executor,
  limit: number,
  now: Instant,
  until: Instant,
): Promise<readonly ClaimedPush[]> {
  const rows = await db.query(claim, [formatTimestamp(until), formatTimestamp(now), limit]);
  return rows.map(readClaimed);
}

/** What came of an attempt; `dueAt` is the next attempt's time while pending. */
export type PushOutcome = {
  readonly status: "sent" | "pending" | "failed";
  readonly dueAt: Instant | null;
  readonly error: string | null;
};

const complete = statement(
  "push.complete",
  `update push_message set attempts = attempts + 1, status = $4, due_at = $5, claimed_until = null, last_error = $6, updated_at = $7
   where account_id = $1 and id = $2 and status = 'pending' and (claimed_until = $3 or $4 = 'sent')`,
);

/** Records an attempt. A success counts even if the claim has expired in the meantime. */
export async function completePush(
  db: Executor,
  { accountId, id: messageId, claimedUntil }: ClaimedPush,
  { status, dueAt, error }: PushOutcome,
  now: Instant,
): Promise<void> {
  await db.query(complete, [
    accountId,
    messageId,
    formatTimestamp(claimedUntil),
    status,
    formatTimestampOrNull(dueAt),
    error,
    formatTimestamp(now),
  ]);
}

const removeSubscription = statement(
  "push.remove-subscription",
  "delete from push_subscription where account_id = $1 and id = $2 and endpoint = $3",
);

/** Removes a browser that its push service no longer knows, with its messages. */
export async function removeGoneSubscription(
  db: Executor,
  { accountId, subscriptionId, endpoint }: ClaimedPush,
): Promise<void> {
  await db.query(removeSubscription, [accountId, subscriptionId, endpoint]);
}

const deleteOver = statement(
  "push.delete-over",
  "delete from push_message where status <> 'pending' and updated_at <= $1",
);

/** Deletes messages that were sent or given up before `before`. */
export async function deletePushesOverBefore(db: Executor, before: Instant): Promise<void> {
  await db.query(deleteOver, [formatTimestamp(before)]);
}

const discardNotices = statement("push.discard-notices", "delete from push_notice");
const discardMessages = statement(
  "push.discard-messages",
  "delete from push_message where status = 'pending'",
);

/** Deletes what waits to be sent, where the deployment sends no web push. */
export async function discardPushes(db: Executor): Promise<void> {
  await db.query(discardNotices, []);
  await db.query(discardMessages, []);
}
