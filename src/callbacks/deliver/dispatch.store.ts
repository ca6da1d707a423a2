import type { DeliveryError } from "../../notifications/notice-event.ts";
import { type Executor, type Statement, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { HostKey } from "./host-breakers.store.ts";

export type ClaimedCallback = HostKey & {
  readonly id: string;
  readonly url: string;
  readonly webhookId: string;
  readonly credentialId: string;
  readonly objectType: string;
  readonly objectId: string;
  /** The webhook endpoint that it goes to; null: the object's callback URL. */
  readonly endpointId: string | null;
  /** Attempts made so far; `scheduleBase` of them belong to earlier schedules. */
  readonly attempts: number;
  readonly scheduleBase: number;
  readonly payload: { readonly data: JsonObject; readonly included: readonly JsonObject[] };
  /** No other dispatcher sends it before then; also identifies the claim. */
  readonly claimedUntil: Instant;
};

/** Due, and not claimed, or the claim has expired. */
export const isAvailable = (now: string): string =>
  `(callback.status = 'pending' and callback.due_at <= ${now} and coalesce(callback.claimed_until <= ${now}, true))`;

/** Available, and resent manually. */
export const isResent = (now: string): string => `(callback.is_resend and ${isAvailable(now)})`;

/**
 * Deliveries of one object to one receiver go in order: only the oldest pending one may be sent. `account`: SQL of the account, for a
 * statement about one account.
 */
export const inOrder = (
  account = "callback.account_id",
): string => `(not callback.is_ordered or not exists (
  select from callback ahead
  where ahead.account_id = ${account} and ahead.object_type = callback.object_type
    and ahead.object_id = callback.object_id and ahead.endpoint_id is not distinct from callback.endpoint_id and ahead.status = 'pending' and ahead.is_ordered
    and ahead.id < callback.id))`;

/** Claims the callbacks in `candidate`, of one account or, by default, of all. */
export const claimed = (
  account = "candidate.account_id",
): string => `update callback set claimed_until = $1
  from candidate join event on event.account_id = ${account} and event.id = candidate.event_id
  where callback.account_id = ${account} and callback.id = candidate.id
  returning callback.account_id as "accountId", callback.id, callback.url, callback.host,
            callback.webhook_id as "webhookId", callback.credential_id as "credentialId", callback.attempts,
            callback.endpoint_id as "endpointId",
            callback.object_type as "objectType", callback.object_id as "objectId",
            callback.schedule_base as "scheduleBase", callback.claimed_until as "claimedUntil", event.payload`;

const anyAvailable = statement<{ found: boolean }>(
  "callbacks.any-available",
  `select exists (select 1 from callback where ${isAvailable("$1")}) as found`,
);

export type AvailableHost = HostKey & {
  readonly consecutiveFailures: number;
  /** The breaker's pause has ended: one probe may be sent. */
  readonly isHalfOpen: boolean;
};

/** The receivers in `lane` of pending callbacks. Steps over an index, so the cost grows with the receivers, not with their backlogs. */
const receiversOf = (pending: string): string => `with recursive lane as (
     (select account_id, host from callback where ${pending} order by account_id, host limit 1)
     union all
     select next.account_id, next.host
     from lane cross join lateral (
       select account_id, host from callback
       where ${pending} and (account_id, host) > (lane.account_id, lane.host)
       order by account_id, host limit 1) next
   )`;

const availableHosts = statement<AvailableHost>(
  "callbacks.available-hosts",
  `${receiversOf("status = 'pending'")}
   select lane.account_id as "accountId", lane.host, coalesce(breaker.consecutive_failures, 0) as "consecutiveFailures",
          breaker.open_until is not null as "isHalfOpen"
   from lane left join callback_host breaker using (account_id, host)
   where (breaker.open_until is null or breaker.open_until <= $1)
     and exists (select from callback where callback.account_id = lane.account_id and callback.host = lane.host
                   and ${isAvailable("$1")})`,
);

const resentHosts = statement<HostKey>(
  "callbacks.resent-hosts",
  `${receiversOf("status = 'pending' and is_resend")}
   select lane.account_id as "accountId", lane.host from lane
   where exists (select from callback where callback.account_id = lane.account_id and callback.host = lane.host
                   and ${isResent("$1")})`,
);

/** Claims the oldest callbacks of each lane that are `available`. */
const claimOfLanes = (available: string): string => `with lane as (
     select * from unnest($3::bigint[], $4::text[], $5::integer[]) as lane (account_id, host, size)
   ), candidate as materialized (
     select found.* from lane cross join lateral (
       select callback.account_id, callback.id, callback.event_id from callback
       where callback.account_id = lane.account_id and callback.host = lane.host and ${available} and ${inOrder()}
       order by callback.due_at, callback.id
       limit lane.size
       for update skip locked) found
   )
   ${claimed()}`;

const claim = statement<ClaimedCallback>("callbacks.claim", claimOfLanes(isAvailable("$2")));

const claimResends = statement<ClaimedCallback>(
  "callbacks.claim-resends",
  claimOfLanes(isResent("$2")),
);

const release = statement(
  "callbacks.release",
  `update callback set claimed_until = null
   from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) as input (account_id, id, claimed_until)
   where callback.account_id = input.account_id and callback.id = input.id
     and callback.claimed_until = input.claimed_until`,
);

const isHeld = "(callback.claimed_until is not distinct from input.claimed_until)";
const nextStatus = `(case when ${isHeld} or input.status = 'delivered' then input.status else callback.status end)`;

// A 200 counts even if another dispatcher holds the claim by now; any other outcome only if no later claim exists.
const complete = statement<{ id: string }>(
  "callbacks.complete",
  `with input as (
     select * from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::timestamptz[], $6::timestamptz[],
                          $7::integer[], $8::smallint[], $9::text[], $10::bytea[], $12::text[], $13::text[])
       as input (account_id, id, claimed_until, status, due_at, attempted_at, duration_ms, status_code, error, answer_head,
                 meta_sign, webhook_signature)
   ), updated as (
     update callback set
       attempts = callback.attempts + 1,
       status = ${nextStatus},
       due_at = case when ${nextStatus} <> 'pending' then null
                     when ${isHeld} then input.due_at else callback.due_at end,
       claimed_until = case when ${isHeld} or ${nextStatus} <> 'pending' then null else callback.claimed_until end,
       is_resend = callback.is_resend and ${nextStatus} = 'pending' and not ${isHeld},
       is_ordered = callback.is_ordered and ${nextStatus} = 'pending',
       last_status_code = input.status_code,
       delivered_at = case when input.status = 'delivered' then $11 else callback.delivered_at end,
       updated_at = $11
     from input
     where callback.account_id = input.account_id and callback.id = input.id
     returning callback.account_id, callback.id, callback.attempts
   )
   insert into callback_attempt (account_id, callback_id, number, attempted_at, duration_ms, status_code, error, answer_head,
                                 meta_sign, webhook_signature)
   select account_id, id, updated.attempts, attempted_at, duration_ms, status_code, error, answer_head, meta_sign, webhook_signature
   from updated join input using (account_id, id)`,
);

/** Whether any callback is due: a cheap query for idle dispatchers. */
export async function isAnyCallbackAvailable(db: Executor, now: Instant): Promise<boolean> {
  const [row] = await db.query(anyAvailable, [formatTimestamp(now)]);
  return row?.found === true;
}

/** A receiver with the number of its callbacks that may be claimed. */
export type LaneDemand = HostKey & { readonly size: number };

/** Claims up to `size` callbacks of each receiver until `until`. */
export type Claim = (
  db: Executor,
  lanes: readonly LaneDemand[],
  now: Instant,
  until: Instant,
) => Promise<readonly ClaimedCallback[]>;

/** How a dispatcher takes callbacks, so that no other one has them until its claim ends. */
export type Claiming = {
  /** Receivers with due callbacks whose breaker is not open. */
  readonly findHosts: (db: Executor, now: Instant) => Promise<readonly AvailableHost[]>;
  /** Claims due callbacks. */
  readonly claimDue: Claim;
  /** Receivers with callbacks that were resent manually, whatever the state of their breaker. */
  readonly findResent: (db: Executor, now: Instant) => Promise<readonly HostKey[]>;
  /** Claims only callbacks that were resent manually. */
  readonly claimResent: Claim;
};

/** Claims callbacks of all accounts in one statement. */
export const claimTogether: Claiming = {
  findHosts: (db, now) => db.query(availableHosts, [formatTimestamp(now)]),
  claimDue: claimTogetherWith(claim),
  findResent: (db, now) => db.query(resentHosts, [formatTimestamp(now)]),
  claimResent: claimTogetherWith(claimResends),
};

function claimTogetherWith(claiming: Statement<ClaimedCallback>): Claim {
  return (db, lanes, now, until) =>
    db.query(claiming, [
      formatTimestamp(until),
      formatTimestamp(now),
      lanes.map((lane) => lane.accountId),
      lanes.map((lane) => lane.host),
      lanes.map((lane) => lane.size),
    ]);
}

/** Releases claims that are still held. */
export async function releaseCallbacks(
  db: Executor,
  callbacks: readonly ClaimedCallback[],
): Promise<void> {
  await db.query(release, [
    callbacks.map((callback) => callback.accountId),
    callbacks.map((callback) => callback.id),
    callbacks.map((callback) => formatTimestamp(callback.claimedUntil)),
  ]);
}

export type CompletedAttempt = {
  readonly callback: ClaimedCallback;
  readonly status: "delivered" | "pending" | "exhausted";
  /** Time of the next attempt; null unless pending. */
  readonly dueAt: Instant | null;
  readonly attemptedAt: Instant;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: DeliveryError | "aborted" | null;
  readonly answerHead: Uint8Array | null;
  /** What the attempt was signed with; the rest of its request follows from the event. */
  readonly signed: Signed;
};

/** The signatures of one attempt: `meta.sign` of the body, and the header `webhook-signature`. */
export type Signed = { readonly sign: string; readonly webhookSignature: string };

/** Records attempts and updates their callbacks in one statement. `attempts` must contain each callback only once. */
export async function completeAttempts(
  db: Executor,
  attempts: readonly CompletedAttempt[],
  now: Instant,
): Promise<void> {
  await db.query(complete, [
    attempts.map((attempt) => attempt.callback.accountId),
    attempts.map((attempt) => attempt.callback.id),
    attempts.map((attempt) => formatTimestamp(attempt.callback.claimedUntil)),
    attempts.map((attempt) => attempt.status),
    attempts.map((attempt) => (attempt.dueAt === null ? null : formatTimestamp(attempt.dueAt))),
    attempts.map((attempt) => formatTimestamp(attempt.attemptedAt)),
    attempts.map((attempt) => attempt.durationMs),
    attempts.map((attempt) => attempt.statusCode),
    attempts.map((attempt) => attempt.error),
    attempts.map((attempt) => attempt.answerHead),
    formatTimestamp(now),
    attempts.map((attempt) => attempt.signed.sign),
    attempts.map((attempt) => attempt.signed.webhookSignature),
  ]);
}
