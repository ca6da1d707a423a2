import { type Executor, statement } from "../db/database.ts";
import { sealedColumn } from "../db/sealed-column.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";
import { pushAuthContext, pushKeyContext } from "./sealing-contexts.ts";

type PushKeyRow = { readonly publicKey: Uint8Array; readonly privateSealed: Uint8Array };

const read = statement<PushKeyRow>(
  "push-key.read",
  `select public_key as "publicKey", private_sealed as "privateSealed" from push_key where id = 1`,
);

/** The deployment's key pair; null before it is created. */
export async function readPushKeyRow(db: Executor): Promise<PushKeyRow | null> {
  const [row] = await db.query(read, []);
  return row ?? null;
}

const insert = statement(
  "push-key.insert",
  `insert into push_key (id, public_key, private_sealed, created_at) values (1, $1, $2, $3)
   on conflict (id) do nothing`,
);

/** Stores the key pair unless there is one. */
export async function insertPushKey(
  db: Executor,
  publicKey: Uint8Array,
  privateSealed: Uint8Array,
  now: Instant,
): Promise<void> {
  await db.query(insert, [publicKey, privateSealed, formatTimestamp(now)]);
}

/** The sealed columns of web push. */
export const pushSealedColumns = [
  sealedColumn({
    table: "push_key",
    column: "private_sealed",
    key: "id",
    keyType: "bigint",
    context: pushKeyContext,
  }),
  sealedColumn({
    table: "push_subscription",
    column: "auth_sealed",
    key: "endpoint",
    keyType: "text",
    context: pushAuthContext,
  }),
];
