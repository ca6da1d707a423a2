import { createHmac } from "node:crypto";
import type { Executor } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { generateOpaqueToken, tokenDigest } from "../tokens/opaque-token.ts";
import { storeRefreshToken } from "../tokens/session.store.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import type { ClientInfo, PeopleContext } from "./context.ts";
import { type DeviceCookie, issueDeviceCookie } from "./known-device.ts";
import { storePersonSession } from "./person-session.store.ts";
import type { SecondFactor } from "./person-session.ts";
import { shortUserAgent } from "./user-agent.ts";

/** The tokens of a browser: the access token is held in memory, the refresh token in a cookie. */
export type PersonTokens = {
  readonly memberId: string;
  readonly access: string;
  readonly accessExpiresAt: Instant;
  readonly refresh: string;
  /** When the session ends unless it is refreshed. */
  readonly refreshExpiresAt: Instant;
  readonly sessionExpiresAt: Instant;
  readonly secondFactor: SecondFactor | null;
  /** Issued at each sign-in; null when a session is refreshed. */
  readonly device: DeviceCookie | null;
};

export type SigningInMember = { readonly accountId: string; readonly memberId: string };

/**
 * Starts a session for a person. `prove` runs first in the same transaction, so that a code is consumed only if the session starts; it
 * throws to refuse. Rejects `unauthenticated` when the member was deactivated in the meantime.
 */
export async function startSession(
  context: PeopleContext,
  who: SigningInMember,
  from: ClientInfo,
  prove: (tx: Executor) => Promise<SecondFactor | null> = () => Promise.resolve(null),
): Promise<PersonTokens> {
  const opened = await context.db.transaction(async (tx) =>
    openSession(context, tx, who, from, await prove(tx)),
  );
  return issueTokens(context, opened, from);
}

/** A session that the caller's transaction opens. */
export type OpenedSession = Pick<
  PersonTokens,
  "refresh" | "refreshExpiresAt" | "sessionExpiresAt" | "secondFactor"
> & { readonly who: SigningInMember; readonly familyId: string };

/**
 * Opens a session in the caller's transaction, together with what entitles the person to it. `issueTokens` returns its tokens once the
 * transaction has committed. Rejects `unauthenticated` for a member who may not sign in.
 */
export async function openSession(
  context: PeopleContext,
  tx: Executor,
  who: SigningInMember,
  from: ClientInfo,
  secondFactor: SecondFactor | null,
): Promise<OpenedSession> {
  const { random, people } = context;
  const now = context.clock.now();
  const familyId = random.uuid();
  const { token: refresh, digest } = generateOpaqueToken(random);
  const sessionExpiresAt = addSeconds(now, people.sessionSeconds);
  const refreshExpiresAt = idleExpiry(context, now, sessionExpiresAt);
  const number = await storePersonSession(tx, {
    familyId,
    accountId: who.accountId,
    memberId: who.memberId,
    refreshSalt: random.bytes(32),
    createdAt: now,
    expiresAt: sessionExpiresAt,
    secondFactor,
    ip: from.ip,
    userAgent: shortUserAgent(from.userAgent),
  });
  if (number === null) throw unauthenticated("login");
  await storeRefreshToken(tx, { digest, familyId, createdAt: now, expiresAt: refreshExpiresAt });
  await recordAudit(tx, {
    by: { accountId: who.accountId, memberId: who.memberId, ip: from.ip },
    action: "session.opened",
    object: { type: "session", id: number },
    summary: { second_factor: secondFactor, user_agent: shortUserAgent(from.userAgent) },
    at: now,
  });
  return { who, familyId, refresh, refreshExpiresAt, sessionExpiresAt, secondFactor };
}

/** The tokens of a session that was opened. */
export async function issueTokens(
  context: PeopleContext,
  { who, familyId, ...session }: OpenedSession,
  from: ClientInfo,
): Promise<PersonTokens> {
  const access = await context.accessTokens.sign({
    accountId: who.accountId,
    credentialId: null,
    familyId,
  });
  return {
    memberId: who.memberId,
    access: access.token,
    accessExpiresAt: access.expiresAt,
    ...session,
    device: issueDeviceCookie(context, who, from.device),
  };
}

/** When a refresh token issued now expires: after the idle period, at the latest with its session. */
export function idleExpiry(
  { people }: Pick<PeopleContext, "people">,
  now: Instant,
  sessionExpiresAt: Instant,
): Instant {
  const idle = addSeconds(now, people.idleSeconds);
  return idle < sessionExpiresAt ? idle : sessionExpiresAt;
}

/** The refresh token that follows `refresh`. It is always the same one, and cannot be computed without the salt in the database. */
export function nextRefreshToken(
  refresh: string,
  salt: Uint8Array,
): { readonly token: string; readonly digest: Uint8Array } {
  const token = createHmac("sha256", salt).update(refresh).digest("base64url");
  return { token, digest: tokenDigest(token) };
}
