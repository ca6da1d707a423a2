import {
  assignments,
  columnDefinitions,
  columnList,
  group,
  type Row,
  recordReader,
  writeRecord,
} from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { depositDefaultFields } from "../create/deposit-defaults.ts";
import { pageSettingFields } from "./page-settings.ts";
import {
  accountingSettingFields,
  payoutSettingFields,
  type StoredSettings,
} from "./store-settings.ts";

const fields = {
  page: group(pageSettingFields),
  defaults: group(depositDefaultFields),
  payouts: group(payoutSettingFields),
  accounting: group(accountingSettingFields),
};
const fromRow = recordReader(fields);

const read = statement<Row>(
  "store-settings.read",
  `select ${columnList(fields)} from account where id = $1`,
);

const lock = statement<Row>(
  "store-settings.lock",
  `select ${columnList(fields)} from account where id = $1 for no key update`,
);

const save = statement<never>(
  "store-settings.save",
  `update account set ${assignments(fields, "i")}
   from json_to_record($2::json) as i (${columnDefinitions(fields)})
   where account.id = $1`,
);

/** Null if the account does not exist. */
export async function readStoreSettings(
  db: Executor,
  accountId: string,
): Promise<StoredSettings | null> {
  const [row] = await db.query(read, [accountId]);
  return row === undefined ? null : fromRow(row);
}

/** Reads the settings and locks the account until the transaction ends; null if the account does not exist. */
export async function lockStoreSettings(
  tx: Executor,
  accountId: string,
): Promise<StoredSettings | null> {
  const [row] = await tx.query(lock, [accountId]);
  return row === undefined ? null : fromRow(row);
}

export async function saveStoreSettings(
  tx: Executor,
  accountId: string,
  settings: StoredSettings,
): Promise<void> {
  await tx.query(save, [accountId, JSON.stringify(writeRecord(fields, settings))]);
}
