import { type Executor, statement } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** For how long a key names the deposit that was created with it. */
export const creationKeySeconds = 24 * 3600;

/** The idempotency key of a creation, and what tells whether a repeated request asks for the same deposit. */
export type CreationKey = { readonly key: string; readonly fingerprint: Uint8Array };

const readOne = statement<{ depositId: string; fingerprint: Uint8Array }>(
  "creation-key.read-one",
  `select deposit_id as "depositId", fingerprint from deposit_key
   where account_id = $1 and key = $2 and created_at > $3`,
);

/** The deposit that an account created with a key, and the request's fingerprint; null for a key that is unused or over. */
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

/** Deletes the keys that are over. Running it twice is fine. */
export async function deleteOldCreationKeys(db: Executor, now: Instant): Promise<void> {
  await db.query(deleteOld, [since(now)]);
}

function since(now: Instant): string {
  return formatTimestamp(addSeconds(now, -creationKeySeconds));
}
