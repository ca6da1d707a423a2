import { accountScope } from "../platform/db/account-scope.ts";
import { columnList, type Row } from "../platform/db/columns.ts";
import { type Executor, statement } from "../platform/db/database.ts";
import { fetchPage, type ListSql } from "../platform/db/list-query.ts";
import { present } from "../platform/kernel/assert.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import {
  attemptColumns,
  attemptFromRow,
  type Callback,
  type CallbackAttempt,
  callbackFields,
  callbackFromRow,
  eventWallet,
} from "./callback.ts";
import { callbackFilters, callbackSort } from "./callback-filters.ts";
import type { NewEvent } from "./events/new-event.ts";

const columns = columnList(callbackFields, "callback", {
  trigger: "event.trigger",
  wallet_id: eventWallet,
  last_error: `case when callback.attempts > 0 and callback.last_status_code is null then (
    select newest.error from callback_attempt newest
    where newest.account_id = callback.account_id and newest.callback_id = callback.id and newest.number = callback.attempts
    limit 1) end`,
});

const tables =
  "callback join event on event.account_id = callback.account_id and event.id = callback.event_id";

const callbackList: ListSql = {
  name: "callback.list",
  select: columns,
  from: tables,
  filters: {
    ...callbackFilters,
    // For resending several callbacks; the API does not list these three.
    ids: {
      kind: "custom",
      predicate: (bind, text) => `callback.id = any(${bind(text.split(","))}::bigint[])`,
    },
    failing: {
      kind: "custom",
      predicate: () =>
        "(callback.status = 'pending' and not callback.is_resend and callback.attempts > callback.schedule_base)",
    },
    // Those to a callback URL, and those to one of these webhook endpoints.
    receivable: {
      kind: "custom",
      predicate: (bind, text) =>
        `(callback.endpoint_id is null or callback.endpoint_id = any(${bind(text === "" ? [] : text.split(","))}::bigint[]))`,
    },
  },
  indexed: "created_at",
  count: { from: "callback", unless: "event." },
  sort: callbackSort,
};

const readOne = statement<Row>(
  "callbacks.read",
  `select ${columns} from ${tables} where callback.account_id = $1 and callback.id = $2`,
);

const readAttempts = statement<Row>(
  "callbacks.read-attempts",
  `select ${attemptColumns} from callback_attempt where account_id = $1 and callback_id = $2 order by number desc limit 100`,
);

/** An enabled webhook endpoint, where its deliveries go now. */
export type EnabledEndpoint = { readonly id: string; readonly url: string; readonly host: string };

// By itself: callbacks may be distributed, endpoints are not. An endpoint that changes at the same time waits, and its change then
// applies to what was resent.
const lockEndpoints = statement<EnabledEndpoint>(
  "callbacks.lock-enabled-endpoints",
  "select id, url, host from webhook_endpoint where account_id = $1 and is_enabled order by id for share",
);

/** The account's enabled endpoints, which stay as they are until the transaction ends. */
export function lockEnabledEndpoints(
  tx: Executor,
  accountId: string,
): Promise<readonly EnabledEndpoint[]> {
  return tx.query(lockEndpoints, [accountId]);
}

const ofEndpoint = (values: string, column: string): string =>
  `coalesce((${values})[array_position($4::bigint[], endpoint_id)], ${column})`;

// Its endpoint may have another URL by now.
const madeDue = `status = 'pending', due_at = $3, schedule_base = attempts, is_resend = true,
     is_ordered = is_ordered and status = 'pending', claimed_until = null, updated_at = $3,
     url = ${ofEndpoint("$5::text[]", "url")}, host = ${ofEndpoint("$6::text[]", "host")}`;

// Leaves a claimed callback alone: its attempt is already in progress.
const mayResend =
  "coalesce(claimed_until <= $3, true) and (endpoint_id is null or endpoint_id = any($4::bigint[]))";

const resend = statement(
  "callbacks.resend",
  `update callback set ${madeDue} where account_id = $1 and id = $2 and ${mayResend}`,
);

// Skips callbacks that were already resent and not sent yet, so a second click does nothing.
const resendMany = statement<{ id: string }>(
  "callbacks.resend-many",
  `update callback set ${madeDue}
   where account_id = $1 and id = any($2::bigint[]) and not (status = 'pending' and is_resend) and ${mayResend}
   returning id`,
);

/** A page of an account's callbacks; `wallets` limits it to objects of these wallets, null means all. */
export async function listCallbackRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
): Promise<Page<Callback>> {
  const owner = { account: "callback.account_id", wallet: "callback.wallet_id" };
  const scope = accountScope(owner, accountId, wallets);
  return mapPage(await fetchPage<Row>(db, callbackList, scope, query), callbackFromRow);
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

const readPayload = statement<{ payload: NewEvent["payload"] }>(
  "callbacks.read-payload",
  `select event.payload from ${tables} where callback.account_id = $1 and callback.id = $2`,
);

/** What a callback delivers. */
export async function readCallbackPayload(
  db: Executor,
  accountId: string,
  id: string,
): Promise<NewEvent["payload"]> {
  const [row] = await db.query(readPayload, [accountId, id]);
  return present(row, `the event of callback ${id}`).payload;
}

/** The newest hundred attempts, newest first. */
export async function readCallbackAttempts(
  db: Executor,
  accountId: string,
  id: string,
): Promise<readonly CallbackAttempt[]> {
  return (await db.query(readAttempts, [accountId, id])).map(attemptFromRow);
}

/** Makes a callback due now, whatever its status, and restarts its retry schedule. Not of an endpoint that is not among `endpoints`. */
export async function resendCallbackRow(
  db: Executor,
  accountId: string,
  id: string,
  endpoints: readonly EnabledEndpoint[],
  now: Instant,
): Promise<void> {
  await db.query(resend, [accountId, id, formatTimestamp(now), ...endpointValues(endpoints)]);
}

/** Does the same for several callbacks; returns the ids of those it made due. */
export async function resendCallbackRows(
  db: Executor,
  accountId: string,
  ids: readonly string[],
  endpoints: readonly EnabledEndpoint[],
  now: Instant,
): Promise<readonly string[]> {
  const values = [accountId, ids, formatTimestamp(now), ...endpointValues(endpoints)];
  return (await db.query(resendMany, values)).map((row) => row.id);
}

function endpointValues(endpoints: readonly EnabledEndpoint[]): [string[], string[], string[]] {
  return [
    endpoints.map(({ id }) => id),
    endpoints.map(({ url }) => url),
    endpoints.map(({ host }) => host),
  ];
}

const nextNumber = statement<{ id: string }>(
  "callbacks.next-test-delivery",
  "select nextval('test_delivery_id') as id",
);

const readCallbackOf = statement<{ id: string }>(
  "callbacks.of-test-delivery",
  "select id from callback where account_id = $1 and object_type = 'test' and object_id = $2",
);

/** Draws the object id of a test delivery. Ids are unique, so that test deliveries do not wait for each other. */
export async function takeTestDeliveryId(tx: Executor): Promise<string> {
  const [row] = await tx.query(nextNumber, []);
  return present(row, "a test delivery id").id;
}

/** The id of a test delivery's callback. */
export async function readTestCallbackId(
  tx: Executor,
  accountId: string,
  testId: string,
): Promise<string> {
  const [row] = await tx.query(readCallbackOf, [accountId, testId]);
  return present(row, "the callback just written").id;
}
