import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Credential } from "./credential.ts";

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

type CredentialRow = {
  id: string;
  member_id: string;
  member_name: string;
  label: string;
  login: string;
  allowed_networks: string[];
  is_designated: boolean;
  created_at: Instant;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
};

/** Sessions are deleted about a day after they ended, so a credential that was last used before that has no last use. */
const columns = `c.id, c.member_id, m.name as member_name, c.label, c.login,
  c.allowed_networks::text[] as allowed_networks, c.id is not distinct from a.designated_credential_id as is_designated,
  c.created_at, c.revoked_at,
  (select max(f.created_at) from token_family f where f.account_id = c.account_id and f.credential_id = c.id) as last_used_at`;
const tables = `credential c
  join member m on m.account_id = c.account_id and m.id = c.member_id
  join account a on a.id = c.account_id`;

const selectAll = statement<CredentialRow>(
  "credential.list",
  `select ${columns} from ${tables} where c.account_id = $1 order by c.id`,
);

const selectOne = statement<CredentialRow>(
  "credential.one",
  `select ${columns} from ${tables} where c.account_id = $1 and c.id = $2`,
);

type LoginRow = {
  account_id: string;
  id: string;
  member_id: string;
  password_hash: string;
  allowed_networks: string[];
  revoked_at: Instant | null;
};

const selectByLogin = statement<LoginRow>(
  "credential.by-login",
  `select c.account_id, c.id, c.member_id, c.password_hash, c.allowed_networks::text[] as allowed_networks,
          coalesce(c.revoked_at, m.deactivated_at) as revoked_at
   from credential c join member m on m.account_id = c.account_id and m.id = c.member_id
   where c.login = $1`,
);

type SigningRow = {
  account_id: string;
  credential_id: string;
  callback_key_sealed: Uint8Array;
  webhook_secret_sealed: Uint8Array;
  former_webhook_secret_sealed: Uint8Array | null;
};

const selectSigning = statement<SigningRow>(
  "credential.signing",
  `select c.account_id, c.id as credential_id, c.callback_key_sealed, a.webhook_secret_sealed,
          case when a.former_webhook_secret_until > $3 then a.former_webhook_secret_sealed end
            as former_webhook_secret_sealed
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
    /** Null: the operator. */
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

/** Revokes the credential at `at`. */
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
  return (await db.query(selectAll, [accountId])).map((row) => toCredential(row));
}

/** The credential with this id; null when the account has none. */
export async function readCredential(
  db: Executor,
  accountId: string,
  id: string,
): Promise<Credential | null> {
  const [row] = await db.query(selectOne, [accountId, id]);
  return row === undefined ? null : toCredential(row);
}

function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    memberId: row.member_id,
    memberName: row.member_name,
    label: row.label,
    login: row.login,
    allowedNetworks: row.allowed_networks,
    isDesignated: row.is_designated,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

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

/** The credential with this login; null when there is none. */
export async function readLogin(db: Executor, login: string): Promise<LoginRecord | null> {
  const [row] = await db.query(selectByLogin, [login]);
  if (row === undefined) return null;
  return {
    accountId: row.account_id,
    credentialId: row.id,
    memberId: row.member_id,
    passwordHash: row.password_hash,
    allowedNetworks: row.allowed_networks,
    isRevoked: row.revoked_at !== null,
  };
}

export type SealedSigningKeys = {
  readonly accountId: string;
  readonly credentialId: string;
  readonly callbackKeySealed: Uint8Array;
  readonly webhookSecretSealed: Uint8Array;
  /** The previous webhook secret while it also signs; null afterwards. */
  readonly formerWebhookSecretSealed: Uint8Array | null;
};

/** The sealed keys that sign these credentials' callbacks. `now` decides whether the previous webhook secret also signs. */
export async function readSealedSigningKeys(
  db: Executor,
  credentials: readonly { readonly accountId: string; readonly credentialId: string }[],
  now: Instant,
): Promise<readonly SealedSigningKeys[]> {
  const rows = await db.query(selectSigning, [
    credentials.map((credential) => credential.accountId),
    credentials.map((credential) => credential.credentialId),
    formatTimestamp(now),
  ]);
  return rows.map((row) => ({
    accountId: row.account_id,
    credentialId: row.credential_id,
    callbackKeySealed: row.callback_key_sealed,
    webhookSecretSealed: row.webhook_secret_sealed,
    formerWebhookSecretSealed: row.former_webhook_secret_sealed,
  }));
}

/** The credential that signs callbacks of objects no program created; null when the account has no credential. */
export async function readDesignatedId(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await db.query(selectDesignated, [accountId]);
  return row?.designated_credential_id ?? null;
}
