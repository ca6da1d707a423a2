import type { AuthToken } from "./api-types.gen.ts";
import { hasReplySignature } from "./reply-signature.ts";
import { SluiceError, SluiceUnreachable } from "./sluice-error.ts";

/** Where access tokens come from. */
export type AccessTokens = {
  /** A token that should still hold; null: requests carry none. `rejected` is one that the service has just refused. */
  readonly get: (rejected?: string | null) => Promise<string | null>;
};

/** `POST` of attributes to `/token/` or `/token/refresh/`. */
export type AskForToken = (
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

/** A token is renewed so long before its end. */
const marginMs = 30_000;

/**
 * Tokens of one session: logs in at the first need, refreshes shortly before the end and when the service refuses a token, and
 * logs in again when the session is over. Whoever asks meanwhile waits for the same answer: a refresh token works once, and a
 * second use would end the session.
 */
export function createSession(
  credential: Credential,
  ask: AskForToken,
  now: () => number,
): AccessTokens {
  let session: Session | null = null;
  let skewMs = 0;
  let flight: Promise<Session> | null = null;

  const logIn = async (): Promise<Session> => {
    const { data, meta } = await ask("/token/", { ...credential });
    const refresh = data.attributes.refresh ?? "";
    if (!(await hasReplySignature(credential, refresh, meta))) {
      throw new TypeError(
        "the answer to the log-in was not signed by someone who knows the password",
      );
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
      const { data } = await ask("/token/refresh/", { refresh });
      return sessionOf(data);
    } catch (error) {
      // Refused: the session is over. No answer: the refresh token may have been used, and must not come twice.
      const isOver = error instanceof SluiceError && error.status === 401;
      if (!isOver && !(error instanceof SluiceUnreachable)) throw error;
      session = null;
      return logIn();
    }
  };
  const renewOnce = (): Promise<Session> => {
    flight ??= renew()
      .then((renewed) => {
        session = renewed;
        return renewed;
      })
      .finally(() => {
        flight = null;
      });
    return flight;
  };

  return {
    get: async (rejected = null) => {
      const isGood = session !== null && session.access !== rejected && now() < session.renewAtMs;
      if (session !== null && isGood) return session.access;
      return (await renewOnce()).access;
    },
  };
}
