import { columnList, type Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { type Credential, credentialFields, credentialFromRow } from "./credential.ts";

const columns = columnList(credentialFields, "c", {
  member_name: "m.name",
  allowed_networks: "c.allowed_networks::text[]",
  is_designated: "c.id is not distinct from a.designated_credential_id",
  last_used_at: `select max(f.created_at) from token_family f
     where f.account_id = c.account_id and f.credential_id = c.id`,
});

const nextCredentialId = statement<{ id: string }>(
  "credential.next-id",
  "select nextval(pg_get_serial_sequence('credential', 'id')) as id",
);

/** Bits beyond a network's prefix are dropped. The account's first credential becomes the designated one. */
const insertCredential = statement(
  "credential.insert",
  `with fresh as (
     insert into credential
       (account_id, id, member_id, login, password_hash, callback_key_sealed, allowed_networks, created_at,
        created_by_member_id, label)
     select $1, $2, $3, $4, $5, $6,
            array(select network(n::inet) from unnest($7::text[]) as n), $8, $9, $10
     returning account_id, id)
   update account set designated_credential_id = fresh.id
   from fresh where account.id = fresh.account_id and designated_credential_id is null`,
);

/** Bits beyond a network's prefix are dropped. */
const update = statement(
  "credential.update",
  `update credential set label = $3,
     allowed_networks = array(select network(n::inet) from unnest($4::text[]) as n)
   where account_id = $1 and id = $2`,
);

const revoke = statement(
  "credential.revoke",
  "update credential set revoked_at = $3 where account_id = $1 and id = $2",
);

const designate = statement(
  "credential.designate",
  "update account set designated_credential_id = $2 where id = $1",
);

const tables = `credential c
  join member m on m.account_id = c.account_id and m.id = c.member_id
  join account a on a.id = c.account_id`;

const selectAll = statement<Row>(
  "credential.list",
  `select ${columns} from ${tables} where c.account_id = $1 order by c.id`,
);

const selectOne = statement<Row>(
  "credential.one",
  `select ${columns} from ${tables} where c.account_id = $1 and c.id = $2`,
);

/** What a program's login and password are verified against. */
export type LoginRecord = {
  readonly accountId: string;
  readonly credentialId: string;
  readonly memberId: string;
  readonly passwordHash: string;
  readonly allowedNetworks: readonly string[];
  /** The credential was revoked, or its member deactivated. */
  readonly isRevoked: boolean;
};

const selectByLogin = statement<LoginRecord>(
  "credential.by-login",
  `select c.account_id as "accountId", c.id as "credentialId", c.member_id as "memberId",
          c.password_hash as "passwordHash", c.allowed_networks::text[] as "allowedNetworks",
          coalesce(c.revoked_at, m.deactivated_at) is not null as "isRevoked"
   from credential c join member m on m.account_id = c.account_id and m.id = c.member_id
   where c.login = $1`,
);

/** The sealed keys that sign a credential's callbacks: its own, and the webhook secrets of its account. */
export type SealedSigningKeys = {
  readonly accountId: string;
  readonly credentialId: string;
  readonly callbackKeySealed: Uint8Array;
  readonly webhookSecretSealed: Uint8Array;
  /** The previous webhook secret while it also signs; null afterwards. */
  readonly formerWebhookSecretSealed: Uint8Array | null;
};

const selectSigning = statement<SealedSigningKeys>(
  "credential.signing",
  `select c.account_id as "accountId", c.id as "credentialId", c.callback_key_sealed as "callbackKeySealed",
          a.webhook_secret_sealed as "webhookSecretSealed",
          case when a.former_webhook_secret_until > $3 then a.former_webhook_secret_sealed end
            as "formerWebhookSecretSealed"
   from unnest($1::bigint[], $2::bigint[]) as wanted (account_id, credential_id)
   join credential c on c.account_id = wanted.account_id and c.id = wanted.credential_id
   join account a on a.id = c.account_id`,
);

const selectDesignated = statement<{ designated_credential_id: string | null }>(
  "credential.designated",
  "select designated_credential_id from account where id = $1",
);

/** The next credential's id. It is needed before the insert, because the sealed callback key is bound to the id of its row. */
export async function takeCredentialId(db: Executor): Promise<string> {
  const [row] = await db.query(nextCredentialId);
  return present(row, "a new credential's id").id;
}

/** Inserts the credential. `callbackKeySealed` is bound to `id`. */
export async function storeCredential(
  db: Executor,
  credential: {
    readonly accountId: string;
    readonly id: string;
    readonly memberId: string;
    readonly label: string;
    readonly login: string;
    readonly passwordHash: string;
    readonly callbackKeySealed: Uint8Array;
    readonly allowedNetworks: readonly string[];
    readonly createdAt: Instant;
    /** Null if the operator created it. */
    readonly createdByMemberId: string | null;
  },
): Promise<void> {
  await db.query(insertCredential, [
    credential.accountId,
    credential.id,
    credential.memberId,
    credential.login,
    credential.passwordHash,
    credential.callbackKeySealed,
    credential.allowedNetworks,
    formatTimestamp(credential.createdAt),
    credential.createdByMemberId,
    credential.label,
  ]);
}

/** Replaces label and allowed networks. */
export async function updateCredential(
  db: Executor,
  credential: {
    readonly accountId: string;
    readonly id: string;
    readonly label: string;
    readonly allowedNetworks: readonly string[];
  },
): Promise<void> {
  const { accountId, id, label, allowedNetworks } = credential;
  await db.query(update, [accountId, id, label, allowedNetworks]);
}

/** Marks the credential as revoked at the time `at`. */
export async function storeRevocation(
  db: Executor,
  accountId: string,
  credentialId: string,
  at: Instant,
): Promise<void> {
  await db.query(revoke, [accountId, credentialId, formatTimestamp(at)]);
}

/** Makes the credential the account's designated one. */
export async function storeDesignation(
  db: Executor,
  accountId: string,
  credentialId: string,
): Promise<void> {
  await db.query(designate, [accountId, credentialId]);
}

/** An account's credentials, revoked ones included, oldest first. */
export async function readCredentials(
  db: Executor,
  accountId: string,
): Promise<readonly Credential[]> {
  return (await db.query(selectAll, [accountId])).map(credentialFromRow);
}

/** The credential with this id; null when the account has none. */
export async function readCredential(
  db: Executor,
  accountId: string,
  id: string,
): Promise<Credential | null> {
  const [row] = await db.query(selectOne, [accountId, id]);
  return row === undefined ? null : credentialFromRow(row);
}

/** The credential with this login; null when there is none. */
export async function readLogin(db: Executor, login: string): Promise<LoginRecord | null> {
  return (await db.query(selectByLogin, [login]))[0] ?? null;
}

/** The sealed keys that sign these credentials' callbacks. `now` decides whether the previous webhook secret also signs. */
export async function readSealedSigningKeys(
  db: Executor,
  credentials: readonly { readonly accountId: string; readonly credentialId: string }[],
  now: Instant,
): Promise<readonly SealedSigningKeys[]> {
  return db.query(selectSigning, [
    credentials.map((credential) => credential.accountId),
    credentials.map((credential) => credential.credentialId),
    formatTimestamp(now),
  ]);
}

/** The credential that signs callbacks of objects no program created; null when the account has no credential. */
export async function readDesignatedId(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await db.query(selectDesignated, [accountId]);
  return row?.designated_credential_id ?? null;
}
