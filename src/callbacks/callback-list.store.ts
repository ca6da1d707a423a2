import { accountScope } from "../platform/db/account-scope.ts";
import { type Executor, statement } from "../platform/db/database.ts";
import { fetchPage, type ListSql } from "../platform/db/list-query.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import type { Callback, CallbackAttempt, CallbackStatus } from "./callback.ts";
import { callbackFilters, callbackSort, eventWallet } from "./callback-filters.ts";
import { escapeAnswer } from "./deliver/escape-answer.ts";

type CallbackRow = {
  id: string;
  url: string;
  status: CallbackStatus;
  trigger: string;
  object_type: Callback["objectType"];
  object_id: string;
  wallet_id: string | null;
  webhook_id: string;
  attempts: number;
  due_at: Instant | null;
  last_status_code: number | null;
  delivered_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
};

const columns = `callback.id, callback.url, callback.status, event.trigger, callback.object_type, callback.object_id,
  ${eventWallet} as wallet_id, callback.webhook_id, callback.attempts, callback.due_at, callback.last_status_code,
  callback.delivered_at, callback.created_at, callback.updated_at`;
const tables =
  "callback join event on event.account_id = callback.account_id and event.id = callback.event_id";

const callbackList: ListSql = {
  name: "callback.list",
  select: columns,
  from: tables,
  filters: {
    ...callbackFilters,
    // For resending several callbacks; the API does not list these two.
    ids: {
      kind: "custom",
      predicate: (bind, text) => `callback.id = any(${bind(text.split(","))}::bigint[])`,
    },
    failing: {
      kind: "custom",
      predicate: () =>
        "(callback.status = 'pending' and not callback.is_resend and callback.attempts > callback.schedule_base)",
    },
  },
  indexed: "created_at",
  sort: callbackSort,
};

const readOne = statement<CallbackRow>(
  "callbacks.read",
  `select ${columns} from ${tables} where callback.account_id = $1 and callback.id = $2`,
);

const readAttempts = statement<{
  number: number;
  attempted_at: Instant;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  answer_head: Buffer | null;
}>(
  "callbacks.read-attempts",
  `select number, attempted_at, duration_ms, status_code, error, answer_head from callback_attempt
   where account_id = $1 and callback_id = $2 order by number desc limit 100`,
);

// Leaves a claimed callback alone: its attempt is already in progress.
const resend = statement(
  "callbacks.resend",
  `update callback set status = 'pending', due_at = $3, schedule_base = attempts, is_resend = true,
     is_ordered = is_ordered and status = 'pending', claimed_until = null, updated_at = $3
   where account_id = $1 and id = $2 and coalesce(claimed_until <= $3, true)`,
);

// Skips callbacks that were already resent and not sent yet, so a second click does nothing.
const resendMany = statement<{ id: string }>(
  "callbacks.resend-many",
  `update callback set status = 'pending', due_at = $3, schedule_base = attempts, is_resend = true,
     is_ordered = is_ordered and status = 'pending', claimed_until = null, updated_at = $3
   where account_id = $1 and id = any($2::bigint[]) and coalesce(claimed_until <= $3, true)
     and not (status = 'pending' and is_resend)
   returning id`,
);

/** A page of an account's callbacks; `wallets` limits it to objects of these wallets, null means all. */
export async function listCallbackRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
): Promise<Page<Callback>> {
  const owner = {
    account: "callback.account_id",
    wallet: eventWallet,
    walletType: "text",
  } as const;
  const scope = accountScope(owner, accountId, wallets);
  return mapPage(await fetchPage<CallbackRow>(db, callbackList, scope, query), callbackFromRow);
}

/** The callback with this id, or null if the account has none. */
export async function readCallbackRow(
  db: Executor,
  accountId: string,
  id: string,
): Promise<Callback | null> {
  const [row] = await db.query(readOne, [accountId, id]);
  return row === undefined ? null : callbackFromRow(row);
}

/** The newest hundred attempts, newest first. */
export async function readCallbackAttempts(
  db: Executor,
  accountId: string,
  id: string,
): Promise<readonly CallbackAttempt[]> {
  const rows = await db.query(readAttempts, [accountId, id]);
  return rows.map((row) => ({
    number: row.number,
    attemptedAt: row.attempted_at,
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    error: row.error,
    answerHead: row.answer_head === null ? null : escapeAnswer(row.answer_head),
  }));
}

/** Makes a callback due now, whatever its status, and restarts its retry schedule. */
export async function resendCallbackRow(
  db: Executor,
  accountId: string,
  id: string,
  now: Instant,
): Promise<void> {
  await db.query(resend, [accountId, id, formatTimestamp(now)]);
}

/** Does the same for several callbacks; returns the ids of those it made due. */
export async function resendCallbackRows(
  db: Executor,
  accountId: string,
  ids: readonly string[],
  now: Instant,
): Promise<readonly string[]> {
  const rows = await db.query(resendMany, [accountId, ids, formatTimestamp(now)]);
  return rows.map((row) => row.id);
}

function callbackFromRow(row: CallbackRow): Callback {
  return {
    id: row.id,
    url: row.url,
    status: row.status,
    trigger: row.trigger,
    objectType: row.object_type,
    objectId: row.object_id,
    walletId: row.wallet_id,
    webhookId: row.webhook_id,
    attempts: row.attempts,
    nextAttemptAt: row.due_at,
    lastStatusCode: row.last_status_code,
    deliveredAt: row.delivered_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
