/** The page's side of a session: the access token, held in memory only. */
export type Session = {
  /** The current access token; null while nobody is signed in. */
  readonly token: () => string | null;
  /** Takes the response of a sign-in or renewal. */
  readonly start: (token: SessionToken) => void;
  /** A valid token other than `rejected`, renewed if needed; null when nobody is signed in. Throws without a response. */
  readonly getToken: (rejected?: string | null) => Promise<string | null>;
  /** Discards the token and notifies subscribers, where the service has ended the session. */
  readonly end: () => void;
  /**
   * Discards the token and notifies subscribers once `ended` is fulfilled: the service has ended the session. `getToken` waits for it.
   * Rejects as `ended` does; the session then continues.
   */
  readonly endAfter: (ended: Promise<unknown>) => Promise<void>;
  readonly subscribe: (listener: () => void) => () => void;
};

export type SessionToken = { readonly access: string; readonly access_expired_at: string | null };

/** Records across reloads whether there is a session, so that renewal is not attempted without one. */
export type SessionMarker = {
  readonly isSet: () => boolean;
  readonly set: (isSet: boolean) => void;
};

/** How long before its expiry a token is renewed. */
const renewalMarginMs = 30_000;
/** A lifetime outside this range means that the local clock is wrong; the token is then used until the service rejects it. */
const plausibleLifetime = { minMs: 60_000, maxMs: 3_600_000 };

/** `renew` requests a new token by the session cookie; null when the service refuses. */
export function createSession(
  renew: () => Promise<SessionToken | null>,
  marker: SessionMarker,
  now: () => number,
): Session {
  const listeners = new Set<() => void>();
  let current: { readonly token: string; readonly expiresAtMs: number } | null = null;
  let renewal: Promise<string | null> | null = null;
  let ending: Promise<void> | null = null;
  const set = (next: typeof current): void => {
    current = next;
    marker.set(next !== null);
    for (const listener of listeners) listener();
  };
  const start = ({ access, access_expired_at }: SessionToken): void => {
    const expiresAtMs = Date.parse(access_expired_at ?? "");
    const lifetimeMs = expiresAtMs - now();
    const isPlausible =
      lifetimeMs > plausibleLifetime.minMs && lifetimeMs < plausibleLifetime.maxMs;
    set({ token: access, expiresAtMs: isPlausible ? expiresAtMs : Infinity });
  };
  const renewOnce = (): Promise<string | null> => {
    renewal ??= renew()
      .then((token) => {
        if (token === null) set(null);
        else start(token);
        return token?.access ?? null;
      })
      .finally(() => {
        renewal = null;
      });
    return renewal;
  };
  const getToken: Session["getToken"] = async (rejected = null) => {
    await ending;
    if (current === null && !marker.isSet()) return null;
    const isValid =
      current !== null &&
      current.token !== rejected &&
      now() < current.expiresAtMs - renewalMarginMs;
    return isValid ? (current?.token ?? null) : renewOnce();
  };
  return {
    token: () => current?.token ?? null,
    start,
    getToken,
    end: () => {
      set(null);
    },
    endAfter: async (ended) => {
      const over = ended.then(() => {
        set(null);
      });
      ending = over
        .catch(() => undefined)
        .finally(() => {
          ending = null;
        });
      await over;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
