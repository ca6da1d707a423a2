import { type Executor, statement } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** How long an idempotency key is in force. */
export const creationKeySeconds = 24 * 3600;

/** The idempotency key of a creation, and the fingerprint that identifies a repeated request. */
export type CreationKey = { readonly key: string; readonly fingerprint: Uint8Array };

const readOne = statement<{ depositId: string; fingerprint: Uint8Array }>(
  "creation-key.read-one",
  `select deposit_id as "depositId", fingerprint from deposit_key
   where account_id = $1 and key = $2 and created_at > $3`,
);

/** The deposit that an account created with a key, and the request's fingerprint; null for an unused or expired key. */
export async function readCreationKey(
  db: Executor,
  accountId: string,
  key: string,
  now: Instant,
): Promise<{ readonly depositId: string; readonly fingerprint: Uint8Array } | null> {
  const [row] = await db.query(readOne, [accountId, key, since(now)]);
  return row ?? null;
}

const deleteOld = statement(
  "creation-key.delete-old",
  "delete from deposit_key where created_at <= $1",
);

/** Deletes expired keys. Idempotent. */
export async function deleteOldCreationKeys(db: Executor, now: Instant): Promise<void> {
  await db.query(deleteOld, [since(now)]);
}

function since(now: Instant): string {
  return formatTimestamp(addSeconds(now, -creationKeySeconds));
}
