import { createHmac } from "node:crypto";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { callbackKeyOf } from "../credentials/callback-key.ts";
import { type LoginRecord, readLogin } from "../credentials/credential.store.ts";
import { isAllowedFrom } from "./allowed-network.ts";
import { generateOpaqueToken } from "./opaque-token.ts";
import { verifyPassword } from "./password-hash.ts";
import { storeRefreshToken, storeSession } from "./session.store.ts";
import type { SessionContext } from "./session-context.ts";
import { addressNotAllowed, unauthenticated } from "./unauthenticated.ts";

export type AccessGrant = { readonly access: string; readonly accessExpiresAt: Instant };

export type SessionTokens = AccessGrant & {
  readonly refresh: string;
  readonly refreshExpiresAt: Instant;
};

/** Proves to the client that the response comes from a service that knows its password. */
export type ReplySignature = {
  readonly time: string;
  /** Hex HMAC-SHA256 of time and refresh token; the key is the raw SHA-256 of login and password. */
  readonly sign: string;
};

/** Starts a session of a program. Rejects `unauthenticated` and `addressNotAllowed`. */
export async function logIn(
  context: SessionContext,
  credentials: { readonly login: string; readonly password: string },
  ip: string,
): Promise<{ readonly tokens: SessionTokens; readonly signature: ReplySignature }> {
  const { login, password } = credentials;
  const record = await verifyLogin(context, login, password, ip);
  const now = context.clock.now();
  const { token: refresh, digest } = generateOpaqueToken(context.random);
  const sessionExpiresAt = addSeconds(now, context.tokenSettings.sessionSeconds);
  const refreshExpiresAt = refreshExpiry(context, now, sessionExpiresAt);
  const familyId = context.random.uuid();
  await context.db.transaction(async (tx) => {
    const isOpen = await storeSession(tx, {
      id: familyId,
      accountId: record.accountId,
      credentialId: record.credentialId,
      createdAt: now,
      expiresAt: sessionExpiresAt,
    });
    if (!isOpen) throw unauthenticated("login");
    await storeRefreshToken(tx, { digest, familyId, createdAt: now, expiresAt: refreshExpiresAt });
  });
  const { accountId, credentialId } = record;
  const access = await context.accessTokens.sign({ accountId, credentialId, familyId });
  const time = formatTimestamp(now);
  const sign = createHmac("sha256", callbackKeyOf(login, password))
    .update(time + refresh)
    .digest("hex");
  return {
    tokens: { access: access.token, accessExpiresAt: access.expiresAt, refresh, refreshExpiresAt },
    signature: { time, sign },
  };
}

/**
 * Issues an access token without a refresh token, as OAuth's client credentials grant does (RFC 6749, section 4.4). Rejects
 * `unauthenticated` and `addressNotAllowed`.
 */
export async function grantClientAccess(
  context: SessionContext,
  credentials: { readonly login: string; readonly password: string },
  ip: string,
): Promise<AccessGrant> {
  const { accountId, credentialId } = await verifyLogin(
    context,
    credentials.login,
    credentials.password,
    ip,
  );
  const now = context.clock.now();
  const familyId = context.random.uuid();
  const isOpen = await storeSession(context.db, {
    id: familyId,
    accountId,
    credentialId,
    createdAt: now,
    expiresAt: addSeconds(now, context.tokenSettings.accessSeconds),
  });
  if (!isOpen) throw unauthenticated("login");
  const access = await context.accessTokens.sign({ accountId, credentialId, familyId });
  return { access: access.token, accessExpiresAt: access.expiresAt };
}

/** When a refresh token issued now expires, at the latest with its session. */
export function refreshExpiry(
  context: Pick<SessionContext, "tokenSettings">,
  now: Instant,
  sessionExpiresAt: Instant,
): Instant {
  const ownExpiry = addSeconds(now, context.tokenSettings.refreshSeconds);
  return ownExpiry < sessionExpiresAt ? ownExpiry : sessionExpiresAt;
}

/**
 * Verifies a program's login and password. Unknown logins, revoked credentials and wrong passwords reject `unauthenticated` alike, in the
 * same time (unknown logins are verified against a hash that nothing matches). `addressNotAllowed` is revealed only after a correct
 * password.
 */
async function verifyLogin(
  context: Pick<SessionContext, "db" | "random" | "passwordHashing">,
  login: string,
  password: string,
  ip: string,
): Promise<LoginRecord> {
  // PostgreSQL cannot store NUL, so no login contains it.
  const record = login.includes("\0") ? null : await readLogin(context.db, login);
  const { passwordHashing, random } = context;
  const hash = record?.passwordHash ?? null;
  const isRight = await verifyPassword(hash, password, passwordHashing, random);
  if (record === null || !isRight || record.isRevoked) throw unauthenticated("login");
  if (!isAllowedFrom(record.allowedNetworks, ip)) throw addressNotAllowed();
  return record;
}
