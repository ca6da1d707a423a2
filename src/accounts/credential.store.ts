import { type Executor, statement } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";

const nextCredentialId = statement<{ id: string }>(
  "credential.next-id",
  "select nextval(pg_get_serial_sequence('credential', 'id')) as id",
);

/** A network with bits set beyond its prefix is stored without them. The first credential becomes the designated one. */
const insertCredential = statement(
  "credential.insert",
  `with fresh as (
     insert into credential
       (account_id, id, member_id, login, password_hash, callback_key_sealed, allowed_networks, created_at,
        created_by_member_id)
     select $1, $2, $3, $4, $5, $6,
            array(select network(n::inet) from unnest($7::text[]) as n), $8, $9
     returning account_id, id)
   update account set designated_credential_id = fresh.id
   from fresh where account.id = fresh.account_id and designated_credential_id is null`,
);

const revoke = statement<{ id: string }>(
  "credential.revoke",
  `update credential set revoked_at = coalesce(revoked_at, $3)
   where account_id = $1 and id = $2 returning id`,
);

const designate = statement<{ id: string }>(
  "credential.designate",
  `update account set designated_credential_id = c.id
   from credential c
   where account.id = $1 and c.account_id = $1 and c.id = $2 and c.revoked_at is null
   returning account.id`,
);

type CredentialRow = {
  id: string;
  member_id: string;
  login: string;
  allowed_networks: string[];
  is_designated: boolean;
  created_at: Instant;
  revoked_at: Instant | null;
};

const selectAll = statement<CredentialRow>(
  "credential.list",
  `select c.id, c.member_id, c.login, c.allowed_networks::text[] as allowed_networks,
          c.id is not distinct from a.designated_credential_id as is_designated, c.created_at, c.revoked_at
   from credential c join account a on a.id = c.account_id
   where c.account_id = $1
   order by c.created_at, c.id`,
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

/** A credential as its owner may see it. */
export type Credential = {
  readonly id: string;
  readonly memberId: string;
  readonly login: string;
  /** Empty: any address. */
  readonly allowedNetworks: readonly string[];
  /** Its key signs callbacks of objects that were not made through the API. */
  readonly isDesignated: boolean;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
};

/** A number for a credential, taken before the insert: what is sealed for a row names the row. */
export async function takeCredentialId(db: Executor): Promise<string | null> {
  const [row] = await db.query(nextCredentialId);
  return row?.id ?? null;
}

/** Inserts the credential; its callback key is sealed for this very row. */
export async function storeCredential(
  db: Executor,
  credential: {
    readonly accountId: string;
    readonly id: string;
    readonly memberId: string;
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
  ]);
}

/** Revoking twice keeps the first time. False when the account has no such credential. */
export async function storeRevocation(
  db: Executor,
  accountId: string,
  credentialId: string,
  at: Instant,
): Promise<boolean> {
  return (await db.query(revoke, [accountId, credentialId, formatTimestamp(at)])).length === 1;
}

/** False when the account has no such credential, or a revoked one. */
export async function storeDesignation(
  db: Executor,
  accountId: string,
  credentialId: string,
): Promise<boolean> {
  return (await db.query(designate, [accountId, credentialId])).length === 1;
}

/** An account's credentials, revoked ones too, oldest first. */
export async function readCredentials(
  db: Executor,
  accountId: string,
): Promise<readonly Credential[]> {
  const rows = await db.query(selectAll, [accountId]);
  return rows.map((row) => ({
    id: row.id,
    memberId: row.member_id,
    login: row.login,
    allowedNetworks: row.allowed_networks,
    isDesignated: row.is_designated,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  }));
}

/** What a login is checked against. */
export type LoginRecord = {
  readonly accountId: string;
  readonly credentialId: string;
  readonly memberId: string;
  readonly passwordHash: string;
  readonly allowedNetworks: readonly string[];
  /** It was ended, or its member was. */
  readonly isRevoked: boolean;
};

/** What the login is checked against; null for a login that no credential has. */
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
  /** The one before it, while it signs too. */
  readonly formerWebhookSecretSealed: Uint8Array | null;
};

/** What callbacks of these credentials are signed with, still sealed. `now` decides whether a former webhook secret signs too. */
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

/** The credential that signs for what was not made through the API; null when the account has none. */
export async function readDesignatedId(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await db.query(selectDesignated, [accountId]);
  return row?.designated_credential_id ?? null;
}
