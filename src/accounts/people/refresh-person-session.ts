import type { Executor } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { refreshDigest } from "../tokens/refresh-token.ts";
import {
  storeFamilyRevocation,
  storeRefreshToken,
  storeSpending,
} from "../tokens/session.store.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import type { PeopleContext, Whereabouts } from "./context.ts";
import { followingToken, idleEnd, type PersonTokens } from "./open-session.ts";
import {
  type LockedPersonSession,
  lockPersonSession,
  readRefreshToken,
  storeSessionUse,
} from "./person-session.store.ts";
import { shortUserAgent } from "./user-agent.ts";

/** Tabs that start together send the same cookie, and an answer may be lost; both are over within this. */
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
 * Exchanges the cookie's refresh token for a new pair. A token that was used up to 20 seconds ago is answered with the token that
 * follows from it, the same for all who ask: there is never a second branch, so a thief's copy and the person's meet in one token, and
 * whoever of them comes later than that ends the session. Rejects `unauthenticated`.
 */
export async function refreshPersonSession(
  context: PeopleContext,
  refreshToken: string,
  from: Whereabouts,
): Promise<PersonTokens> {
  const now = context.clock.now();
  const outcome = await context.db.transaction((tx) =>
    exchange(tx, context, { refreshToken, from, now }),
  );
  switch (outcome.kind) {
    case "refused":
      throw unauthenticated();
    case "reused":
      context.logger.warn("a spent refresh token came back, its session was ended", {
        account: outcome.session.accountId,
        member: outcome.session.memberId,
        family: outcome.session.familyId,
      });
      throw unauthenticated();
    case "accepted": {
      const { session, refresh, refreshExpiresAt } = outcome;
      const { accountId, familyId } = session;
      const access = await context.accessTokens.sign({ accountId, credentialId: null, familyId });
      return {
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

/** A refresh token as it was presented. */
type Presented = {
  readonly refreshToken: string;
  readonly from: Whereabouts;
  readonly now: Instant;
};

async function exchange(
  tx: Executor,
  context: PeopleContext,
  presented: Presented,
): Promise<Outcome> {
  const { refreshToken, from, now } = presented;
  const session = await lockPersonSession(tx, refreshDigest(refreshToken));
  if (session === null) return { kind: "refused" };
  let token = refreshToken;
  for (;;) {
    const stored = await readRefreshToken(tx, refreshDigest(token));
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
    token = followingToken(token, session.refreshSalt).token;
  }
}

async function rotate(
  tx: Executor,
  context: PeopleContext,
  session: LockedPersonSession,
  { refreshToken, from, now }: Presented,
): Promise<Outcome> {
  const { familyId, expiresAt: sessionExpiresAt } = session;
  const { token: refresh, digest } = followingToken(refreshToken, session.refreshSalt);
  const refreshExpiresAt = idleEnd(context, now, sessionExpiresAt);
  await storeSpending(tx, refreshDigest(refreshToken), now);
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
  from: Whereabouts,
  now: Instant,
): Promise<void> {
  await storeFamilyRevocation(tx, session.familyId, now);
  if (session.isEnded) return;
  await recordAudit(tx, {
    by: { accountId: session.accountId, memberId: session.memberId, ip: from.ip },
    action: "session.reuse_detected",
    object: null,
    summary: {},
    at: now,
  });
}
