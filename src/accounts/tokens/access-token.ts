import { errors, jwtVerify, SignJWT } from "jose";
import {
  addSeconds,
  type Clock,
  type Instant,
  instantFromSeconds,
} from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { toDate } from "../../platform/kernel/timestamp.ts";
import type { TokenKeys } from "./token-keys.ts";
import type { TokenSettings } from "./token-settings.ts";

/** The session a token belongs to. Tokens carry no rights: those are read on each request. */
export type Session = {
  readonly accountId: string;
  /** Null: a person's session, which uses no credential. */
  readonly credentialId: string | null;
  /** The token family: all tokens of one login. */
  readonly familyId: string;
};

export type AccessTokens = {
  readonly sign: (
    session: Session,
  ) => Promise<{ readonly token: string; readonly expiresAt: Instant }>;
  /** Null for anything but a valid, unexpired token of this service. */
  readonly verify: (token: string) => Promise<Session | null>;
};

type Verified = { readonly session: Session; readonly keyId: string; readonly expiresAt: Instant };

const algorithm = "EdDSA";
const tokenType = "at+jwt";
/** The subject of a person's token; the session identifies the person. */
const person = "person";
const lengthMax = 2048;
const cacheMax = 10_000;

/**
 * Access tokens as JWTs (RFC 9068, signed with Ed25519). Verified tokens are cached by their full text, because an Ed25519 verification
 * costs several times the rest of a request; the expiry of token and key is checked each time.
 */
export function createAccessTokens(
  context: { readonly clock: Clock; readonly random: Random },
  keys: TokenKeys,
  settings: TokenSettings,
): AccessTokens {
  const verified = new Map<string, Verified>();

  const remember = (token: string, found: Verified): void => {
    const oldest = verified.size >= cacheMax ? verified.keys().next().value : undefined;
    if (oldest !== undefined) verified.delete(oldest);
    verified.set(token, found);
  };
  const verifySignature = async (token: string): Promise<Verified | null> => {
    let keyId = "";
    try {
      const { payload } = await jwtVerify(
        token,
        async (header) => {
          keyId = header.kid ?? "";
          const key = keyId === "" ? null : await keys.verifying(keyId);
          if (key === null) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          algorithms: [algorithm],
          typ: tokenType,
          issuer: settings.issuer,
          audience: settings.audience,
          currentDate: toDate(context.clock.now()),
          requiredClaims: ["sub", "account", "family", "exp", "iat", "jti"],
        },
      );
      const { sub, account, family, exp } = payload;
      if (typeof account !== "string" || typeof family !== "string" || sub === undefined)
        return null;
      return {
        session: {
          accountId: account,
          credentialId: sub === person ? null : sub,
          familyId: family,
        },
        keyId,
        expiresAt: instantFromSeconds(exp ?? 0),
      };
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  };

  return {
    sign: async (session) => {
      const issuedAt = Math.floor(context.clock.now() / 1_000_000);
      const expiresAt = addSeconds(instantFromSeconds(issuedAt), settings.accessSeconds);
      const { id, key } = await keys.signing();
      const token = await new SignJWT({
        client_id: session.credentialId ?? person,
        account: session.accountId,
        family: session.familyId,
      })
        .setProtectedHeader({ alg: algorithm, kid: id, typ: tokenType })
        .setIssuer(settings.issuer)
        .setAudience(settings.audience)
        .setSubject(session.credentialId ?? person)
        .setJti(context.random.uuid())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + settings.accessSeconds)
        .sign(key);
      return { token, expiresAt };
    },
    verify: async (token) => {
      if (token.length > lengthMax) return null;
      const known = verified.get(token);
      if (known !== undefined) {
        const isLive =
          known.expiresAt > context.clock.now() && (await keys.verifying(known.keyId)) !== null;
        if (isLive) return known.session;
        verified.delete(token);
        return null;
      }
      const found = await verifySignature(token);
      if (found !== null) remember(token, found);
      return found?.session ?? null;
    },
  };
}
