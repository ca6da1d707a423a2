import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Passkey } from "./passkey.ts";

type Row = {
  account_id: string;
  member_id: string;
  id: string;
  name: string;
  key_id: string;
  public_key: Uint8Array;
  counter: string;
  transports: string[];
  is_backed_up: boolean;
  created_at: Instant;
  last_used_at: Instant | null;
};

const columns = `account_id, member_id, id, name, key_id, public_key, counter, transports, is_backed_up, created_at,
  last_used_at`;

const insert = statement<Row>(
  "passkey.insert",
  `insert into passkey (account_id, member_id, name, key_id, public_key, counter, transports, is_backed_up, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (key_id) do nothing returning ${columns}`,
);

const selectOwn = statement<Row>(
  "passkey.list",
  `select ${columns} from passkey where account_id = $1 and member_id = $2 order by id`,
);

const selectByKey = statement<Row>(
  "passkey.by-key",
  `select ${columns} from passkey where key_id = $1`,
);

/** The counter of an authenticator grows with each use; authenticators without a counter always send 0. */
const use = statement<{ id: string }>(
  "passkey.use",
  `update passkey set counter = $2, last_used_at = $3, is_backed_up = $4
   where key_id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`,
);

const rename = statement<Row>(
  "passkey.rename",
  `update passkey set name = coalesce($4, name) where account_id = $1 and member_id = $2 and id = $3 returning ${columns}`,
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
  passkey: Omit<Passkey, "id" | "lastUsedAt">,
): Promise<Passkey | null> {
  const [row] = await db.query(insert, [
    passkey.accountId,
    passkey.memberId,
    passkey.name,
    passkey.keyId,
    passkey.publicKey,
    passkey.counter,
    passkey.transports,
    passkey.isBackedUp,
    formatTimestamp(passkey.createdAt),
  ]);
  return row === undefined ? null : toPasskey(row);
}

/** A member's passkeys, oldest first. */
export async function readPasskeys(
  db: Executor,
  { accountId, memberId }: Of,
): Promise<readonly Passkey[]> {
  return (await db.query(selectOwn, [accountId, memberId])).map((row) => toPasskey(row));
}

/** The passkey with this key id; null when no member has it. */
export async function readPasskeyByKey(db: Executor, keyId: string): Promise<Passkey | null> {
  const [row] = await db.query(selectByKey, [keyId]);
  return row === undefined ? null : toPasskey(row);
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

/** Renames a passkey (null: keeps the name) and returns it; null when the member has no such passkey. */
export async function storePasskeyName(
  db: Executor,
  { accountId, memberId }: Of,
  id: string,
  name: string | null,
): Promise<Passkey | null> {
  const [row] = await db.query(rename, [accountId, memberId, id, name]);
  return row === undefined ? null : toPasskey(row);
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

function toPasskey(row: Row): Passkey {
  return {
    accountId: row.account_id,
    memberId: row.member_id,
    id: row.id,
    name: row.name,
    keyId: row.key_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
    isBackedUp: row.is_backed_up,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
