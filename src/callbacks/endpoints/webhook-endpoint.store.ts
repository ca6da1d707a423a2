import { columnList, type Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { sealedColumn } from "../../platform/db/sealed-column.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import {
  endpointFields,
  endpointFromRow,
  endpointSecretContext,
  type WebhookEndpoint,
} from "./webhook-endpoint.ts";

const columns = columnList(endpointFields);

const readAll = statement<Row>(
  "webhook-endpoint.list",
  `select ${columns} from webhook_endpoint where account_id = $1 and deleted_at is null order by id`,
);

/** The account's endpoints, oldest first. */
export async function readEndpointRows(
  db: Executor,
  accountId: string,
): Promise<readonly WebhookEndpoint[]> {
  return (await db.query(readAll, [accountId])).map(endpointFromRow);
}

const lock = statement<Row>(
  "webhook-endpoint.lock",
  `select ${columns} from webhook_endpoint where account_id = $1 and id = $2 and deleted_at is null for update`,
);

/** The endpoint with its row locked; null when the account has none with this id. */
export async function lockEndpointRow(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<WebhookEndpoint | null> {
  const [row] = await tx.query(lock, [accountId, id]);
  return row === undefined ? null : endpointFromRow(row);
}

const nextId = statement<{ id: string }>(
  "webhook-endpoint.next-id",
  "select nextval(pg_get_serial_sequence('webhook_endpoint', 'id')) as id",
);

/** The next endpoint's id. It is needed before the insert, because the sealed secret is bound to the id of its row. */
export async function takeEndpointId(tx: Executor): Promise<string> {
  const [row] = await tx.query(nextId, []);
  return present(row, "an id").id;
}

const insert = statement(
  "webhook-endpoint.insert",
  `insert into webhook_endpoint
     (account_id, id, url, host, description, events, is_enabled, secret_sealed, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
);

const update = statement(
  "webhook-endpoint.update",
  `update webhook_endpoint set url = $3, host = $4, description = $5, events = $6, is_enabled = $7, updated_at = $8
   where account_id = $1 and id = $2`,
);

/** The members of an endpoint that its account sets. */
export type EndpointTerms = Pick<WebhookEndpoint, "url" | "description" | "events" | "isEnabled">;

/** Inserts an endpoint. `secretSealed` is bound to `id`. */
export async function insertEndpointRow(
  tx: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  terms: EndpointTerms,
  secretSealed: Uint8Array,
  now: Instant,
): Promise<void> {
  await tx.query(insert, [accountId, id, ...termValues(terms), secretSealed, formatTimestamp(now)]);
}

/** Replaces an endpoint's terms. */
export async function updateEndpointRow(
  tx: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  terms: EndpointTerms,
  now: Instant,
): Promise<void> {
  await tx.query(update, [accountId, id, ...termValues(terms), formatTimestamp(now)]);
}

function termValues({ url, description, events, isEnabled }: EndpointTerms) {
  return [url, new URL(url).host, description, events, isEnabled];
}

const movePending = statement(
  "webhook-endpoint.move-pending",
  `update callback set url = $3, host = $4, updated_at = $5
   where account_id = $1 and endpoint_id = $2 and status = 'pending'`,
);

/** Sends the deliveries that wait for another attempt to the endpoint's new URL. */
export async function movePendingCallbacks(
  tx: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  url: string,
  now: Instant,
): Promise<void> {
  await tx.query(movePending, [accountId, id, url, new URL(url).host, formatTimestamp(now)]);
}

// A dispatcher that is sending one records its outcome: a 200 still counts, and nothing else continues the schedule.
const endPending = statement(
  "webhook-endpoint.end-pending",
  `update callback set status = 'exhausted', due_at = null, claimed_until = null, is_resend = false, is_ordered = false, updated_at = $3
   where account_id = $1 and endpoint_id = $2 and status = 'pending'`,
);

/** Ends the deliveries that wait for another attempt; they can be resent later. */
export async function endPendingCallbacks(
  tx: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: Instant,
): Promise<void> {
  await tx.query(endPending, [accountId, id, formatTimestamp(now)]);
}

const remove = statement(
  "webhook-endpoint.remove",
  `update webhook_endpoint set deleted_at = $3, is_enabled = false, former_secret_sealed = null, former_secret_until = null, updated_at = $3
   where account_id = $1 and id = $2`,
);

/** Hides the endpoint; its deliveries keep naming it. */
export async function removeEndpointRow(
  tx: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: Instant,
): Promise<void> {
  await tx.query(remove, [accountId, id, formatTimestamp(now)]);
}

/** Without a grace period the previous secret is deleted. */
const rotate = statement(
  "webhook-endpoint.rotate",
  `update webhook_endpoint set
     former_secret_sealed = case when $5::timestamptz is not null then secret_sealed end, former_secret_until = $5,
     secret_sealed = $3, secret_rotated_at = $4, updated_at = $4
   where account_id = $1 and id = $2`,
);

/** Replaces the secret. The previous one also signs until `formerUntil`; null: it does not. */
export async function rotateEndpointRow(
  tx: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  secretSealed: Uint8Array,
  now: Instant,
  formerUntil: Instant | null,
): Promise<void> {
  const values = [accountId, id, secretSealed, formatTimestamp(now)];
  await tx.query(rotate, [...values, formatTimestampOrNull(formerUntil)]);
}

const readSecrets = statement<SealedEndpointSecrets>(
  "webhook-endpoint.secrets",
  `select secret_sealed as "secret", case when former_secret_until > $3 then former_secret_sealed end as "former"
   from webhook_endpoint where account_id = $1 and id = $2`,
);

/** Both secrets as stored; `former` null when it does not sign at `now`. */
export type SealedEndpointSecrets = {
  readonly secret: Uint8Array;
  readonly former: Uint8Array | null;
};

/** The sealed secrets of an endpoint, a removed one included; null when the account never had it. */
export async function readSealedEndpointSecrets(
  db: Executor,
  accountId: string,
  id: string,
  now: Instant,
): Promise<SealedEndpointSecrets | null> {
  const [row] = await db.query(readSecrets, [accountId, id, formatTimestamp(now)]);
  return row ?? null;
}

/** The sealed columns of webhook endpoints. */
export const endpointSealedColumns = ["secret_sealed", "former_secret_sealed"].map((column) =>
  sealedColumn({
    table: "webhook_endpoint",
    column,
    key: "id",
    keyType: "bigint",
    context: endpointSecretContext,
  }),
);
