import type { Instant } from "../../platform/kernel/clock.ts";
import { isAllowedFrom } from "./allowed-network.ts";
import { refreshExpiry, type SessionTokens } from "./log-in.ts";
import { generateRefreshToken, refreshDigest } from "./refresh-token.ts";
import {
  lockRefresh,
  type RefreshRecord,
  storeFamilyRevocation,
  storeRefreshToken,
  storeSpending,
} from "./session.store.ts";
import type { SessionContext } from "./session-context.ts";
import { addressNotAllowed, unauthenticated } from "./unauthenticated.ts";

/**
 * Exchanges a refresh token for a new pair; the old one dies. A token that was used before ends its whole session
 * (RFC 9700, 2.2.2), the pair won by its first use included: of two parallel uses one is answered, and the session ends.
 * Rejects `unauthenticated` and `addressNotAllowed`.
 */
export async function refreshSession(
  context: SessionContext,
  refreshToken: string,
  ip: string,
): Promise<SessionTokens> {
  const now = context.clock.now();
  const spentDigest = refreshDigest(refreshToken);
  const { token: refresh, digest } = generateRefreshToken(context.random);
  const outcome = await context.db.transaction(async (tx) => {
    const record = await lockRefresh(tx, spentDigest);
    if (record === null) return { kind: "refused" } as const;
    const decision = decideRefresh(record, ip, now);
    if (decision === "reused") await storeFamilyRevocation(tx, record.familyId, now);
    if (decision !== "accepted") return { kind: decision, record } as const;
    const expiresAt = refreshExpiry(context, now, record.familyExpiresAt);
    await storeSpending(tx, spentDigest, now);
    await storeRefreshToken(tx, { digest, familyId: record.familyId, createdAt: now, expiresAt });
    return { kind: "accepted", record, refreshExpiresAt: expiresAt } as const;
  });

  switch (outcome.kind) {
    case "refused":
      throw unauthenticated();
    case "elsewhere":
      throw addressNotAllowed();
    case "reused":
      context.logger.warn("a spent refresh token came back, its session was ended", {
        account: outcome.record.accountId,
        credential: outcome.record.credentialId,
        family: outcome.record.familyId,
      });
      throw unauthenticated();
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

/** Reuse comes first: also a spent token that has expired meanwhile betrays a thief. */
function decideRefresh(record: RefreshRecord, ip: string, now: Instant): Decision {
  if (record.isUsed) return "reused";
  if (record.isRevoked || record.expiresAt <= now) return "refused";
  return isAllowedFrom(record.allowedNetworks, ip) ? "accepted" : "elsewhere";
}
