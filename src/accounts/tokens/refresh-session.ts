import type { Instant } from "../../platform/kernel/clock.ts";
import { isAllowedFrom } from "./allowed-network.ts";
import { refreshExpiry, type SessionTokens } from "./log-in.ts";
import { generateOpaqueToken, tokenDigest } from "./opaque-token.ts";
import {
  lockRefresh,
  markRefreshTokenUsed,
  type RefreshRecord,
  revokeSession,
  storeRefreshToken,
} from "./session.store.ts";
import type { SessionContext } from "./session-context.ts";
import { addressNotAllowed, unauthenticated } from "./unauthenticated.ts";

/**
 * Exchanges a refresh token for a new pair and invalidates it. Using a token twice ends its whole session (RFC 9700, section 2.2.2),
 * including the pair from the first use: of two parallel uses one succeeds, and the session ends. Rejects `unauthenticated` and
 * `addressNotAllowed`.
 */
export async function refreshSession(
  context: SessionContext,
  refreshToken: string,
  ip: string,
): Promise<SessionTokens> {
  const now = context.clock.now();
  const usedDigest = tokenDigest(refreshToken);
  const { token: refresh, digest } = generateOpaqueToken(context.random);
  const outcome = await context.db.transaction(async (tx) => {
    const record = await lockRefresh(tx, usedDigest);
    if (record === null) return { kind: "refused" } as const;
    const decision = decideRefresh(record, ip, now);
    if (decision === "reused") await revokeSession(tx, record.familyId, now);
    if (decision !== "accepted") return { kind: decision, record } as const;
    const expiresAt = refreshExpiry(context, now, record.familyExpiresAt);
    await markRefreshTokenUsed(tx, usedDigest, now);
    await storeRefreshToken(tx, { digest, familyId: record.familyId, createdAt: now, expiresAt });
    return { kind: "accepted", record, refreshExpiresAt: expiresAt } as const;
  });

  switch (outcome.kind) {
    case "refused":
      throw unauthenticated("token");
    case "elsewhere":
      throw addressNotAllowed();
    case "reused":
      context.logger.warn("a used refresh token was sent again, so its session was ended", {
        account: outcome.record.accountId,
        credential: outcome.record.credentialId,
        family: outcome.record.familyId,
      });
      throw unauthenticated("token");
    case "accepted": {
      const access = await context.accessTokens.sign(outcome.record);
      return {
        access: access.token,
        accessExpiresAt: access.expiresAt,
        refresh,
        refreshExpiresAt: outcome.refreshExpiresAt,
      };
    }
  }
}

type Decision = "accepted" | "refused" | "reused" | "elsewhere";

/** Reuse is checked first: a used token reveals a theft even after it expired. */
function decideRefresh(record: RefreshRecord, ip: string, now: Instant): Decision {
  if (record.isUsed) return "reused";
  if (record.isRevoked || record.expiresAt <= now) return "refused";
  return isAllowedFrom(record.allowedNetworks, ip) ? "accepted" : "elsewhere";
}
