import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { ImageType, StoreImage } from "./store-image.ts";

const lockAccount = statement<never>(
  "store-image.lock-account",
  "select from account where id = $1 for no key update",
);

const save = statement<never>(
  "store-image.save",
  `insert into store_image (account_id, digest, media_type, content, created_at) values ($1, $2, $3, $4, $5)
   on conflict do nothing`,
);

/** Keeps an image of the account, once. Locks the account, so that no other transaction removes the image before this one shows it. */
export async function saveStoreImage(
  tx: Executor,
  accountId: string,
  { digest, mediaType, content }: StoreImage,
  now: Instant,
): Promise<void> {
  await tx.query(lockAccount, [accountId]);
  await tx.query(save, [accountId, digest, mediaType, content, formatTimestamp(now)]);
}

const removeUnused = statement<never>(
  "store-image.remove-unused",
  `delete from store_image i
   where i.account_id = $1 and i.digest = $2
     and not exists (select from account a where a.id = i.account_id and a.logo_digest = i.digest)
     and not exists (select from payment_link l where l.account_id = i.account_id and l.image_digest = i.digest)`,
);

/** Removes an image that nothing of the account shows any more. Locks the account. */
export async function removeUnusedImage(
  tx: Executor,
  accountId: string,
  digest: string,
): Promise<void> {
  await tx.query(lockAccount, [accountId]);
  await tx.query(removeUnused, [accountId, digest]);
}

const read = statement<{ readonly media_type: ImageType; readonly content: Uint8Array }>(
  "store-image.read",
  "select media_type, content from store_image where digest = $1 limit 1",
);

/** The image with this digest, whichever accounts have it; null if none does. */
export async function readStoreImageContent(
  db: Executor,
  digest: string,
): Promise<Pick<StoreImage, "mediaType" | "content"> | null> {
  const [row] = await db.query(read, [digest]);
  return row === undefined ? null : { mediaType: row.media_type, content: row.content };
}
