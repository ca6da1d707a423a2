import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { StoredTotp } from "./totp.ts";

const nextId = statement<{ id: string }>(
  "totp.next-id",
  "select nextval(pg_get_serial_sequence('totp', 'id')) as id",
);

/** Replaces an unconfirmed app, but not a confirmed one. */
const insert = statement<{ id: string }>(
  "totp.insert",
  `insert into totp as t (account_id, member_id, id, secret_sealed, created_at) values ($1, $2, $3, $4, $5)
   on conflict (account_id, member_id) do update set
     id = excluded.id, secret_sealed = excluded.secret_sealed, created_at = excluded.created_at
   where t.confirmed_at is null
   returning t.id`,
);

const select = statement<StoredTotp>(
  "totp.of-member",
  `select id, secret_sealed as "secretSealed", created_at as "createdAt", confirmed_at as "confirmedAt"
   from totp where account_id = $1 and member_id = $2`,
);

const confirm = statement<{ id: string }>(
  "totp.confirm",
  `update totp set confirmed_at = $3, last_step = $4
   where account_id = $1 and member_id = $2 and id = $5 and confirmed_at is null returning id`,
);

const useStep = statement<{ id: string }>(
  "totp.use-step",
  `update totp set last_step = $3
   where account_id = $1 and member_id = $2 and confirmed_at is not null and (last_step is null or last_step < $3)
   returning id`,
);

const remove = statement<{ id: string }>(
  "totp.remove",
  `delete from totp where account_id = $1 and member_id = $2 and ($3::bigint is null or id = $3) returning id`,
);

type Of = { readonly accountId: string; readonly memberId: string };

/** The next app's id. It is needed before the insert, because the sealed secret is bound to the id of its row. */
export async function takeTotpId(db: Executor): Promise<string> {
  return present((await db.query(nextId))[0], "a new app's id").id;
}

/** Stores an unconfirmed app. False when the member has a confirmed one. */
export async function storeTotp(
  db: Executor,
  { accountId, memberId }: Of,
  totp: { readonly id: string; readonly secretSealed: Uint8Array; readonly createdAt: Instant },
): Promise<boolean> {
  const rows = await db.query(insert, [
    accountId,
    memberId,
    totp.id,
    totp.secretSealed,
    formatTimestamp(totp.createdAt),
  ]);
  return rows.length === 1;
}

/** The member's authenticator app, confirmed or not; null when it has none. */
export async function readTotp(
  db: Executor,
  { accountId, memberId }: Of,
): Promise<StoredTotp | null> {
  return (await db.query(select, [accountId, memberId]))[0] ?? null;
}

/** Confirms the app. False when it was confirmed or replaced in the meantime. */
export async function storeTotpConfirmation(
  db: Executor,
  { accountId, memberId }: Of,
  id: string,
  step: number,
  at: Instant,
): Promise<boolean> {
  const rows = await db.query(confirm, [accountId, memberId, formatTimestamp(at), step, id]);
  return rows.length === 1;
}

/** Marks a time step as used. False when a code of this step or a later one was used before, including by a parallel request. */
export async function storeUsedStep(
  db: Executor,
  { accountId, memberId }: Of,
  step: number,
): Promise<boolean> {
  return (await db.query(useStep, [accountId, memberId, step])).length === 1;
}

/** Removes the app with this id, or any (null). False when there is none. */
export async function removeTotp(
  db: Executor,
  { accountId, memberId }: Of,
  id: string | null,
): Promise<boolean> {
  return (await db.query(remove, [accountId, memberId, id])).length === 1;
}
