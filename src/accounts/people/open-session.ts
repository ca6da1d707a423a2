import { createHmac } from "node:crypto";
import type { Executor } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { generateRefreshToken, refreshDigest } from "../tokens/refresh-token.ts";
import { storeRefreshToken } from "../tokens/session.store.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import type { PeopleContext, Whereabouts } from "./context.ts";
import { type DeviceCookie, issueDeviceCookie } from "./known-device.ts";
import type { SecondFactor } from "./own-session.ts";
import { storePersonSession } from "./person-session.store.ts";
import { shortUserAgent } from "./user-agent.ts";

/** What a browser is given: the access token to keep in memory, the refresh token for its cookie. */
export type PersonTokens = {
  readonly access: string;
  readonly accessExpiresAt: Instant;
  readonly refresh: string;
  /** When the session ends unless it is refreshed before. */
  readonly refreshExpiresAt: Instant;
  readonly sessionExpiresAt: Instant;
  readonly secondFactor: SecondFactor | null;
  /** Given at each sign-in, not when a session is continued. */
  readonly device: DeviceCookie | null;
};

export type WhoSignsIn = { readonly accountId: string; readonly memberId: string };

/**
 * Opens a session for a person. `prove` runs in the same transaction before it and may refuse by throwing: what it uses up is used
 * up only together with the session. Rejects `unauthenticated` when the member was ended meanwhile.
 */
export async function openSession(
  context: PeopleContext,
  who: WhoSignsIn,
  from: Whereabouts,
  prove: (tx: Executor) => Promise<SecondFactor | null> = () => Promise.resolve(null),
): Promise<PersonTokens> {
  const { random, people } = context;
  const now = context.clock.now();
  const familyId = random.uuid();
  const { token: refresh, digest } = generateRefreshToken(random);
  const sessionExpiresAt = addSeconds(now, people.sessionSeconds);
  const refreshExpiresAt = idleEnd(context, now, sessionExpiresAt);
  const secondFactor = await context.db.transaction(async (tx) => {
    const proven = await prove(tx);
    const number = await storePersonSession(tx, {
      familyId,
      accountId: who.accountId,
      memberId: who.memberId,
      refreshSalt: random.bytes(32),
      createdAt: now,
      expiresAt: sessionExpiresAt,
      secondFactor: proven,
      ip: from.ip,
      userAgent: shortUserAgent(from.userAgent),
    });
    if (number === null) throw unauthenticated();
    await storeRefreshToken(tx, { digest, familyId, createdAt: now, expiresAt: refreshExpiresAt });
    await recordAudit(tx, {
      by: { accountId: who.accountId, memberId: who.memberId, ip: from.ip },
      action: "session.opened",
      object: { type: "session", id: number },
      summary: { second_factor: proven, user_agent: shortUserAgent(from.userAgent) },
      at: now,
    });
    return proven;
  });
  const access = await context.accessTokens.sign({
    accountId: who.accountId,
    credentialId: null,
    familyId,
  });
  return {
    access: access.token,
    accessExpiresAt: access.expiresAt,
    refresh,
    refreshExpiresAt,
    sessionExpiresAt,
    secondFactor,
    device: issueDeviceCookie(context, who, from.device),
  };
}

/** A refresh token never outlives its session. */
export function idleEnd(
  { people }: Pick<PeopleContext, "people">,
  now: Instant,
  sessionExpiresAt: Instant,
): Instant {
  const idle = addSeconds(now, people.idleSeconds);
  return idle < sessionExpiresAt ? idle : sessionExpiresAt;
}

/** The one refresh token that follows another: whoever asks twice gets the same, and nobody computes it without the database. */
export function followingToken(
  refresh: string,
  salt: Uint8Array,
): { readonly token: string; readonly digest: Uint8Array } {
  const token = createHmac("sha256", salt).update(refresh).digest("base64url");
  return { token, digest: refreshDigest(token) };
}
