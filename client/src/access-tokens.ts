import type { AuthToken } from "./api-types.gen.ts";
import { hasReplySignature } from "./reply-signature.ts";
import { SluiceError, SluiceUnreachable } from "./sluice-error.ts";

/** Source of access tokens. */
export type AccessTokens = {
  /**
   * Returns a token that should still be valid, or null for requests without one. `rejected` is a token that the service just rejected,
   * `former` the one with which the same request was sent before.
   */
  readonly get: (rejected?: string | null, former?: string | null) => Promise<string | null>;
};

/** Sends attributes to `/token/` or `/token/refresh/`. */
export type RequestToken = (
  path: "/token/" | "/token/refresh/",
  attributes: Readonly<Record<string, string>>,
) => Promise<{
  readonly data: AuthToken;
  readonly meta: Readonly<Record<string, unknown>>;
}>;

type Credential = { readonly login: string; readonly password: string };

type Session = {
  readonly access: string;
  readonly refresh: string | null;
  /** By this machine's clock. */
  readonly renewAtMs: number;
};

/** A token is renewed this long before its expiry. */
const marginMs = 30_000;

/**
 * Manages the tokens of one session: logs in on first use, refreshes shortly before the expiry or when the service rejects a token,
 * and logs in again when the session has ended. Concurrent callers share one refresh, because the second use of a refresh token ends
 * the session.
 */
export function createSession(
  credential: Credential,
  requestToken: RequestToken,
  now: () => number,
): AccessTokens {
  let session: Session | null = null;
  let skewMs = 0;
  let renewal: Promise<Session> | null = null;

  const logIn = async (): Promise<Session> => {
    const { data, meta } = await requestToken("/token/", { ...credential });
    const refresh = data.attributes.refresh ?? "";
    if (!(await hasReplySignature(credential, refresh, meta))) {
      throw new TypeError("the login response is not signed with the password");
    }
    const time = meta["time"];
    if (typeof time === "string") skewMs = now() - Date.parse(time);
    return sessionOf(data);
  };
  const sessionOf = ({ attributes }: AuthToken): Session => ({
    access: attributes.access,
    refresh: attributes.refresh ?? null,
    renewAtMs: Date.parse(attributes.access_expired_at ?? "") + skewMs - marginMs,
  });
  const renew = async (): Promise<Session> => {
    const refresh = session?.refresh ?? null;
    if (refresh === null) return logIn();
    try {
      const { data } = await requestToken("/token/refresh/", { refresh });
      return sessionOf(data);
    } catch (error) {
      // 401: the session has ended. No response: the refresh token may have been used and must not be sent again.
      const isOver = error instanceof SluiceError && error.status === 401;
      if (!isOver && !(error instanceof SluiceUnreachable)) throw error;
      session = null;
      return logIn();
    }
  };
  const renewOnce = (): Promise<Session> => {
    renewal ??= renew()
      .then((renewed) => {
        session = renewed;
        return renewed;
      })
      .finally(() => {
        renewal = null;
      });
    return renewal;
  };

  return {
    get: async (rejected = null) => {
      const isValid = session !== null && session.access !== rejected && now() < session.renewAtMs;
      if (session !== null && isValid) return session.access;
      return (await renewOnce()).access;
    },
  };
}
