import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

const insertFamily = statement<{ id: string }>(
  "session.open",
  `insert into token_family (id, account_id, credential_id, created_at, expires_at)
   select $1, account_id, id, $4, $5 from credential
   where account_id = $2 and id = $3 and revoked_at is null
   returning id`,
);

const insertRefreshToken = statement(
  "session.insert-refresh-token",
  "insert into refresh_token (digest, family_id, created_at, expires_at) values ($1, $2, $3, $4)",
);

/** A refresh token and the state of its session. */
export type RefreshRecord = {
  readonly familyId: string;
  readonly accountId: string;
  readonly credentialId: string;
  readonly expiresAt: Instant;
  readonly familyExpiresAt: Instant;
  readonly isUsed: boolean;
  /** The session or credential was revoked, or the member deactivated. */
  readonly isRevoked: boolean;
  readonly allowedNetworks: readonly string[];
};

const lockRefreshToken = statement<RefreshRecord>(
  "session.lock-refresh-token",
  `select r.family_id as "familyId", f.account_id as "accountId", f.credential_id as "credentialId",
          r.expires_at as "expiresAt", f.expires_at as "familyExpiresAt", r.used_at is not null as "isUsed",
          f.revoked_at is not null or c.revoked_at is not null or m.deactivated_at is not null as "isRevoked",
          c.allowed_networks::text[] as "allowedNetworks"
   from refresh_token r
   join token_family f on f.id = r.family_id
   join credential c on c.account_id = f.account_id and c.id = f.credential_id
   join member m on m.account_id = c.account_id and m.id = c.member_id
   where r.digest = $1 and f.member_id is null
   for update of r`,
);

const spendRefreshToken = statement(
  "session.spend-refresh-token",
  "update refresh_token set used_at = $2 where digest = $1",
);

const revokeFamily = statement(
  "session.revoke",
  "update token_family set revoked_at = coalesce(revoked_at, $2) where id = $1",
);

const deleteExpired = statement(
  "session.delete-expired",
  "delete from token_family where expires_at <= $1",
);

/** Stores a program's session. False when the credential was revoked in the meantime. */
export async function storeSession(
  db: Executor,
  family: {
    readonly id: string;
    readonly accountId: string;
    readonly credentialId: string;
    readonly createdAt: Instant;
    readonly expiresAt: Instant;
  },
): Promise<boolean> {
  const rows = await db.query(insertFamily, [
    family.id,
    family.accountId,
    family.credentialId,
    formatTimestamp(family.createdAt),
    formatTimestamp(family.expiresAt),
  ]);
  return rows.length === 1;
}

/** Stores the digest of a refresh token. */
export async function storeRefreshToken(
  db: Executor,
  token: {
    readonly digest: Uint8Array;
    readonly familyId: string;
    readonly createdAt: Instant;
    readonly expiresAt: Instant;
  },
): Promise<void> {
  await db.query(insertRefreshToken, [
    token.digest,
    token.familyId,
    formatTimestamp(token.createdAt),
    formatTimestamp(token.expiresAt),
  ]);
}

/** Reads the token and locks it until the transaction ends; null when there is none. */
export async function lockRefresh(db: Executor, digest: Uint8Array): Promise<RefreshRecord | null> {
  return (await db.query(lockRefreshToken, [digest]))[0] ?? null;
}

/** Marks the refresh token as used. */
export async function markRefreshTokenUsed(
  db: Executor,
  digest: Uint8Array,
  at: Instant,
): Promise<void> {
  await db.query(spendRefreshToken, [digest, formatTimestamp(at)]);
}

/** Ends a session with all its tokens. An ended session keeps its time. */
export async function revokeSession(db: Executor, familyId: string, at: Instant): Promise<void> {
  await db.query(revokeFamily, [familyId, formatTimestamp(at)]);
}

/** Deletes expired sessions with their refresh tokens. */
export async function deleteExpiredSessions(db: Executor, before: Instant): Promise<void> {
  await db.query(deleteExpired, [formatTimestamp(before)]);
}
