import type { Executor } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { tokenDigest } from "../tokens/opaque-token.ts";
import { markRefreshTokenUsed, storeRefreshToken } from "../tokens/session.store.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import type { ClientInfo, PeopleContext } from "./context.ts";
import {
  endPersonSessions,
  type LockedPersonSession,
  lockPersonSession,
  readRefreshToken,
  storeSessionUse,
} from "./person-session.store.ts";
import { idleExpiry, nextRefreshToken, type PersonTokens } from "./start-session.ts";
import { shortUserAgent } from "./user-agent.ts";

/** Within this time tabs that start together may send the same cookie, and a client may repeat a request whose response was lost. */
const graceSeconds = 20;

type Outcome =
  | { readonly kind: "refused" }
  | { readonly kind: "reused"; readonly session: LockedPersonSession }
  | {
      readonly kind: "accepted";
      readonly session: LockedPersonSession;
      readonly refresh: string;
      readonly refreshExpiresAt: Instant;
    };

/**
 * Exchanges the cookie's refresh token for a new pair. A token that was used at most 20 seconds ago gets the same successor again. Since
 * there is only one chain of tokens, a stolen copy and the person's own token collide, and the later use ends the session. Rejects
 * `unauthenticated`.
 */
export async function refreshPersonSession(
  context: PeopleContext,
  refreshToken: string,
  from: ClientInfo,
): Promise<PersonTokens> {
  const now = context.clock.now();
  const outcome = await context.db.transaction((tx) =>
    exchange(tx, context, { refreshToken, from, now }),
  );
  switch (outcome.kind) {
    case "refused":
      throw unauthenticated("token");
    case "reused":
      context.logger.warn("a used refresh token was sent again, so its session was ended", {
        account: outcome.session.accountId,
        member: outcome.session.memberId,
        family: outcome.session.familyId,
      });
      throw unauthenticated("token");
    case "accepted": {
      const { session, refresh, refreshExpiresAt } = outcome;
      const { accountId, memberId, familyId } = session;
      const access = await context.accessTokens.sign({ accountId, credentialId: null, familyId });
      return {
        memberId,
        access: access.token,
        accessExpiresAt: access.expiresAt,
        refresh,
        refreshExpiresAt,
        sessionExpiresAt: session.expiresAt,
        secondFactor: session.secondFactor,
        device: null,
      };
    }
  }
}

/** A refresh token as received. */
type Presented = {
  readonly refreshToken: string;
  readonly from: ClientInfo;
  readonly now: Instant;
};

async function exchange(
  tx: Executor,
  context: PeopleContext,
  presented: Presented,
): Promise<Outcome> {
  const { refreshToken, from, now } = presented;
  const session = await lockPersonSession(tx, tokenDigest(refreshToken));
  if (session === null) return { kind: "refused" };
  let token = refreshToken;
  for (;;) {
    const stored = await readRefreshToken(tx, tokenDigest(token));
    const isFirst = token === refreshToken;
    if (stored === null) return { kind: "refused" };
    if (stored.usedAt === null) {
      if (session.isEnded || session.expiresAt <= now || stored.expiresAt <= now)
        return { kind: "refused" };
      if (!isFirst)
        return {
          kind: "accepted",
          session,
          refresh: token,
          refreshExpiresAt: stored.expiresAt,
        };
      return rotate(tx, context, session, presented);
    }
    if (addSeconds(stored.usedAt, graceSeconds) <= now) {
      await endReused(tx, session, from, now);
      return { kind: "reused", session };
    }
    token = nextRefreshToken(token, session.refreshSalt).token;
  }
}

async function rotate(
  tx: Executor,
  context: PeopleContext,
  session: LockedPersonSession,
  { refreshToken, from, now }: Presented,
): Promise<Outcome> {
  const { familyId, expiresAt: sessionExpiresAt } = session;
  const { token: refresh, digest } = nextRefreshToken(refreshToken, session.refreshSalt);
  const refreshExpiresAt = idleExpiry(context, now, sessionExpiresAt);
  await markRefreshTokenUsed(tx, tokenDigest(refreshToken), now);
  await storeRefreshToken(tx, { digest, familyId, createdAt: now, expiresAt: refreshExpiresAt });
  await storeSessionUse(tx, familyId, now, {
    ip: from.ip,
    userAgent: shortUserAgent(from.userAgent),
  });
  return { kind: "accepted", session, refresh, refreshExpiresAt };
}

async function endReused(
  tx: Executor,
  session: LockedPersonSession,
  from: ClientInfo,
  now: Instant,
): Promise<void> {
  if (session.isEnded) return;
  const { accountId, memberId, number } = session;
  await endPersonSessions(tx, { accountId, memberId, number, except: null }, now);
  await recordAudit(tx, {
    by: { accountId, memberId, ip: from.ip },
    action: "session.reuse_detected",
    object: null,
    summary: {},
    at: now,
  });
}
