import { type Executor, statement } from "../../platform/db/database.ts";
import type { PageSettings } from "./page-settings.ts";

const columns =
  'payment_page_shop_name as "shopName", help_email as "helpEmail", payment_page_frame_ancestors as "frameAncestors"';

const read = statement<PageSettings>(
  "page-settings.read",
  `select ${columns} from account where id = $1`,
);

const lock = statement<PageSettings>(
  "page-settings.lock",
  `select ${columns} from account where id = $1 for no key update`,
);

const save = statement<never>(
  "page-settings.save",
  `update account set payment_page_shop_name = $2, help_email = $3, payment_page_frame_ancestors = $4::text[]
   where id = $1`,
);

/** Reads an account's payment page settings; null if the account does not exist. */
export async function readPageSettings(
  db: Executor,
  accountId: string,
): Promise<PageSettings | null> {
  return (await db.query(read, [accountId]))[0] ?? null;
}

/** Reads the settings and locks the account until the transaction ends; null if the account does not exist. */
export async function lockPageSettings(
  tx: Executor,
  accountId: string,
): Promise<PageSettings | null> {
  return (await tx.query(lock, [accountId]))[0] ?? null;
}

/** Replaces an account's payment page settings. */
export async function savePageSettings(
  tx: Executor,
  accountId: string,
  { shopName, helpEmail, frameAncestors }: PageSettings,
): Promise<void> {
  await tx.query(save, [accountId, shopName, helpEmail, frameAncestors]);
}
