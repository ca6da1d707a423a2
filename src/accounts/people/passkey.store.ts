import {
  columnDefinitions,
  columnList,
  type RecordOf,
  type Row,
  writeRecord,
} from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { newPasskeyFields, type Passkey, passkeyColumns, passkeyFromRow } from "./passkey.ts";

const insert = statement<Row>(
  "passkey.insert",
  `insert into passkey (${columnList(newPasskeyFields)})
   select * from json_to_record($1::json) as p (${columnDefinitions(newPasskeyFields)})
   on conflict (key_id) do nothing returning ${passkeyColumns}`,
);

const selectOwn = statement<Row>(
  "passkey.list",
  `select ${passkeyColumns} from passkey where account_id = $1 and member_id = $2 order by id`,
);

const selectByKey = statement<Row>(
  "passkey.by-key",
  `select ${passkeyColumns} from passkey where key_id = $1`,
);

/** The counter of an authenticator grows with each use; authenticators without a counter always send 0. */
const use = statement<{ id: string }>(
  "passkey.use",
  `update passkey set counter = $2, last_used_at = $3, is_backed_up = $4
   where key_id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`,
);

/** The removal of the passkey waits for this lock, and ends the session that the passkey opened if the access is reset. */
const hold = statement<{ id: string }>(
  "passkey.hold",
  "select id from passkey where key_id = $1 for share",
);

const rename = statement<Row>(
  "passkey.rename",
  `update passkey set name = coalesce($4, name) where account_id = $1 and member_id = $2 and id = $3 returning ${passkeyColumns}`,
);

const remove = statement<{ name: string }>(
  "passkey.remove",
  `delete from passkey where account_id = $1 and member_id = $2 and id = $3 returning name`,
);

const removeAll = statement(
  "passkey.remove-all",
  "delete from passkey where account_id = $1 and member_id = $2",
);

type Of = { readonly accountId: string; readonly memberId: string };

/** Stores a passkey. Null when its key is already registered. */
export async function storePasskey(
  db: Executor,
  passkey: RecordOf<typeof newPasskeyFields>,
): Promise<Passkey | null> {
  const [row] = await db.query(insert, [JSON.stringify(writeRecord(newPasskeyFields, passkey))]);
  return row === undefined ? null : passkeyFromRow(row);
}

/** A member's passkeys, oldest first. */
export async function readPasskeys(
  db: Executor,
  { accountId, memberId }: Of,
): Promise<readonly Passkey[]> {
  return (await db.query(selectOwn, [accountId, memberId])).map(passkeyFromRow);
}

/** The passkey with this key id; null when no member has it. */
export async function readPasskeyByKey(db: Executor, keyId: string): Promise<Passkey | null> {
  const [row] = await db.query(selectByKey, [keyId]);
  return row === undefined ? null : passkeyFromRow(row);
}

/** Stores a use. False when the counter did not grow: the authenticator was cloned, or the response was sent twice. */
export async function storePasskeyUse(
  db: Executor,
  keyId: string,
  used: { readonly counter: number; readonly isBackedUp: boolean; readonly at: Instant },
): Promise<boolean> {
  const values = [keyId, used.counter, formatTimestamp(used.at), used.isBackedUp];
  return (await db.query(use, values)).length === 1;
}

/** Keeps the passkey from being removed until the transaction ends. False if it is gone by now. */
export async function holdPasskey(tx: Executor, keyId: string): Promise<boolean> {
  return (await tx.query(hold, [keyId])).length === 1;
}

/** Renames a passkey (null: keeps the name) and returns it; null when the member has no such passkey. */
export async function storePasskeyName(
  db: Executor,
  { accountId, memberId }: Of,
  id: string,
  name: string | null,
): Promise<Passkey | null> {
  const [row] = await db.query(rename, [accountId, memberId, id, name]);
  return row === undefined ? null : passkeyFromRow(row);
}

/** Removes a passkey and returns its name; null when the member has no such passkey. */
export async function removePasskey(
  db: Executor,
  { accountId, memberId }: Of,
  id: string,
): Promise<string | null> {
  return (await db.query(remove, [accountId, memberId, id]))[0]?.name ?? null;
}

/** Removes all of a member's passkeys. */
export async function removeAllPasskeys(db: Executor, { accountId, memberId }: Of): Promise<void> {
  await db.query(removeAll, [accountId, memberId]);
}
