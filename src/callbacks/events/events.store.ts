import { type Executor, statement } from "../../platform/db/database.ts";

/** What makes an event unique. */
export type EventKey = { readonly accountId: string; readonly key: string };

export type EventRow = {
  readonly accountId: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly transferId: string | null;
  readonly trigger: string;
  readonly key: string;
  /** JSON text. */
  readonly payload: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly credentialId: string;
  /** These two are null together without a callback URL. */
  readonly url: string | null;
  readonly host: string | null;
  readonly webhookId: string;
  /** The name by which webhook endpoints select the event; null if none receives it. */
  readonly selector: string | null;
  /** The only endpoint that receives it, whatever it selects; null: no single one. */
  readonly endpointId: string | null;
};

// Sorted before identity values are drawn: the ids of one object's events follow the order in which they
// happened (their writers hold the object's row lock), and the dispatcher delivers in id order.
const insertEvents = statement<EventKey>(
  "events.insert",
  `with input as (
     select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::jsonb[],
                          $8::timestamptz[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[])
       with ordinality as input (account_id, object_type, object_id, transfer_id, trigger, event_key, payload,
                                 created_at, credential_id, url, host, webhook_id, selector, endpoint_id, position)
   ), new_event as (
     insert into event (account_id, object_type, object_id, transfer_id, trigger, event_key, payload, created_at)
     select account_id, object_type, object_id, transfer_id, trigger, event_key, payload, created_at
     from input order by position
     on conflict (account_id, event_key) do nothing
     returning account_id, id, event_key
   ), new_callback as (
     insert into callback (account_id, event_id, object_type, object_id, wallet_id, credential_id, url, host, webhook_id,
                           status, due_at, created_at, updated_at)
     select account_id, new_event.id, object_type, object_id,
            (payload #>> '{data,relationships,wallet,data,id}')::bigint, credential_id, url, host, webhook_id,
            'pending', created_at, created_at, created_at
     from new_event join input using (account_id, event_key)
     where url is not null
     order by position
   ), new_endpoint_callback as (
     insert into callback (account_id, event_id, object_type, object_id, wallet_id, credential_id, url, host, webhook_id,
                           status, due_at, created_at, updated_at, endpoint_id)
     select account_id, new_event.id, object_type, object_id,
            (payload #>> '{data,relationships,wallet,data,id}')::bigint, credential_id, endpoint.url, endpoint.host,
            webhook_id || '_' || endpoint.id, 'pending', input.created_at, input.created_at, input.created_at, endpoint.id
     from new_event join input using (account_id, event_key) join webhook_endpoint endpoint using (account_id)
     where endpoint.is_enabled and (endpoint.id = input.endpoint_id
       or (input.selector is not null and (endpoint.events is null or input.selector = any(endpoint.events))))
     order by position, endpoint.id
   )
   select account_id as "accountId", event_key as key from new_event`,
);

/** Writes events with their callbacks, to their URL and to the account's webhook endpoints, in one statement; (account, key) may not repeat within `rows`. Returns the new ones' keys. */
export function insertEventRows(
  tx: Executor,
  rows: readonly EventRow[],
): Promise<readonly EventKey[]> {
  return tx.query(insertEvents, [
    rows.map((row) => row.accountId),
    rows.map((row) => row.objectType),
    rows.map((row) => row.objectId),
    rows.map((row) => row.transferId),
    rows.map((row) => row.trigger),
    rows.map((row) => row.key),
    rows.map((row) => row.payload),
    rows.map((row) => row.createdAt),
    rows.map((row) => row.credentialId),
    rows.map((row) => row.url),
    rows.map((row) => row.host),
    rows.map((row) => row.webhookId),
    rows.map((row) => row.selector),
    rows.map((row) => row.endpointId),
  ]);
}
