import { type Executor, statement } from "../platform/db/database.ts";
import { present } from "../platform/kernel/assert.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";

const nextAccountId = statement<{ id: string }>(
  "account.next-id",
  "select nextval(pg_get_serial_sequence('account', 'id')) as id",
);

// The first account operates the deployment.
const insertAccount = statement(
  "account.insert",
  `insert into account (id, name, is_ready, webhook_secret_sealed, created_at, is_operator)
   values ($1, $2, true, $3, $4, not exists (select from account))`,
);

const selectName = statement<{ name: string }>(
  "account.name",
  "select name from account where id = $1",
);

const lock = statement("account.lock", "select from account where id = $1 for no key update");

/** The next account's id. It is needed before the insert, because sealed columns are bound to the id of their row. */
export async function takeAccountId(db: Executor): Promise<string> {
  const [row] = await db.query(nextAccountId);
  return present(row, "a new account's id").id;
}

/** Inserts the account. `webhookSecretSealed` is bound to `id`. */
export async function storeAccount(
  db: Executor,
  account: {
    readonly id: string;
    readonly name: string;
    readonly webhookSecretSealed: Uint8Array;
    readonly createdAt: Instant;
  },
): Promise<void> {
  await db.query(insertAccount, [
    account.id,
    account.name,
    account.webhookSecretSealed,
    formatTimestamp(account.createdAt),
  ]);
}

/** The account's name; null when no account has this id. */
export async function readAccountName(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await db.query(selectName, [accountId]);
  return row?.name ?? null;
}

/**
 * Locks the account until the transaction ends, so that changes of its members and credentials run one after another and rules over
 * several members hold. Foreign keys can still refer to the account: an audit entry of another transaction refers to it while it holds
 * the lock on the log, which these changes take last.
 */
export async function lockAccount(db: Executor, accountId: string): Promise<void> {
  await db.query(lock, [accountId]);
}
