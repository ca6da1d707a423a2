import { type Executor, statement } from "../../platform/db/database.ts";
import type { PageSettings } from "./page-settings.ts";

type Row = {
  readonly shop_name: string | null;
  readonly help_email: string | null;
  readonly frame_ancestors: readonly string[];
};

const columns =
  "payment_page_shop_name as shop_name, help_email, payment_page_frame_ancestors as frame_ancestors";

const read = statement<Row>("page-settings.read", `select ${columns} from account where id = $1`);

const lock = statement<Row>(
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
  const [row] = await db.query(read, [accountId]);
  return row === undefined ? null : settingsFromRow(row);
}

/** Reads the settings and locks the account until the transaction ends. */
export async function lockPageSettings(
  tx: Executor,
  accountId: string,
): Promise<PageSettings | null> {
  const [row] = await tx.query(lock, [accountId]);
  return row === undefined ? null : settingsFromRow(row);
}

/** Stores all settings. */
export async function savePageSettings(
  tx: Executor,
  accountId: string,
  { shopName, helpEmail, frameAncestors }: PageSettings,
): Promise<void> {
  await tx.query(save, [accountId, shopName, helpEmail, frameAncestors]);
}

function settingsFromRow(row: Row): PageSettings {
  return {
    shopName: row.shop_name,
    helpEmail: row.help_email,
    frameAncestors: row.frame_ancestors,
  };
}
