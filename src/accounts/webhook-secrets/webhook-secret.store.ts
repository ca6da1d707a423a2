import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

type Row = {
  webhook_secret_sealed: Uint8Array;
  webhook_secret_rotated_at: Instant | null;
  former_webhook_secret_until: Instant | null;
};

const select = statement<Row>(
  "webhook-secret.read",
  `select webhook_secret_sealed, webhook_secret_rotated_at, former_webhook_secret_until from account where id = $1`,
);

/** Without a grace period the previous secret is deleted. */
const rotate = statement(
  "webhook-secret.rotate",
  `update account set
     former_webhook_secret_sealed = case when $4::timestamptz > $3 then webhook_secret_sealed end,
     former_webhook_secret_until = case when $4::timestamptz > $3 then $4::timestamptz end,
     webhook_secret_sealed = $2, webhook_secret_rotated_at = $3
   where id = $1`,
);

export type StoredWebhookSecret = {
  readonly sealed: Uint8Array;
  /** Null if never. */
  readonly rotatedAt: Instant | null;
  /** Until when the previous secret also signs; may be in the past. */
  readonly formerUntil: Instant | null;
};

/** An account's webhook secret, sealed; null for an unknown account. */
export async function readWebhookSecret(
  db: Executor,
  accountId: string,
): Promise<StoredWebhookSecret | null> {
  const [row] = await db.query(select, [accountId]);
  if (row === undefined) return null;
  return {
    sealed: row.webhook_secret_sealed,
    rotatedAt: row.webhook_secret_rotated_at,
    formerUntil: row.former_webhook_secret_until,
  };
}

/** Replaces the secret. The previous one also signs until `formerUntil`. */
export async function replaceWebhookSecret(
  db: Executor,
  accountId: string,
  sealed: Uint8Array,
  at: Instant,
  formerUntil: Instant,
): Promise<void> {
  await db.query(rotate, [accountId, sealed, formatTimestamp(at), formatTimestamp(formerUntil)]);
}
