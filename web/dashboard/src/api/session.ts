/** The page's side of a session: the access token, held in memory only. */
export type Session = {
  /** The current access token; null while nobody is signed in. */
  readonly token: () => string | null;
  /** The signed-in member; null while nobody is signed in. */
  readonly memberId: () => string | null;
  /** Takes the response of a sign-in. */
  readonly start: (token: SessionToken) => void;
  /**
   * A valid token other than `rejected`, renewed if needed; null when nobody is signed in, and for a request that was sent with the token
   * `former` of a session before this one. Throws without a response. Where another member signed in in another tab, the renewal returns that member's token: this tab's
   * session then ends until the next sign-in here. So no request of the former member is sent as the other one.
   */
  readonly getToken: (rejected?: string | null, former?: string | null) => Promise<string | null>;
  /** Discards the token and notifies subscribers, where the service has ended the session. */
  readonly end: () => void;
  /**
   * Discards the token and notifies subscribers once `ended` is fulfilled: the service has ended the session. `getToken` waits for it.
   * Rejects as `ended` does; the session then continues.
   */
  readonly endAfter: (ended: Promise<unknown>) => Promise<void>;
  readonly subscribe: (listener: () => void) => () => void;
};

export type SessionToken = {
  readonly access: string;
  readonly access_expired_at: string | null;
  /** Absent from a service of an earlier version, during its upgrade. */
  readonly member_id?: string | null;
};

/** Records across reloads whether there is a session, so that renewal is not attempted without one. */
export type SessionMarker = {
  readonly isSet: () => boolean;
  readonly set: (isSet: boolean) => void;
};

type Current = {
  readonly token: string;
  readonly expiresAtMs: number;
  readonly memberId: string | null;
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
  let current: Current | null = null;
  /** The tokens of this session, its former ones included. */
  const own = new Set<string>();
  let isTakenOver = false;
  let renewal: Promise<string | null> | null = null;
  let ending: Promise<void> | null = null;
  const show = (next: Current | null): void => {
    current = next;
    if (next === null) own.clear();
    else own.add(next.token);
    for (const listener of listeners) listener();
  };
  const set = (next: Current | null): void => {
    marker.set(next !== null);
    show(next);
  };
  const isOfAnother = ({ member_id }: SessionToken): boolean =>
    current?.memberId != null && member_id != null && current.memberId !== member_id;
  const take = ({ access, access_expired_at, member_id }: SessionToken): void => {
    const expiresAtMs = Date.parse(access_expired_at ?? "");
    const lifetimeMs = expiresAtMs - now();
    const isPlausible =
      lifetimeMs > plausibleLifetime.minMs && lifetimeMs < plausibleLifetime.maxMs;
    const memberId = member_id ?? current?.memberId ?? null;
    set({ token: access, expiresAtMs: isPlausible ? expiresAtMs : Infinity, memberId });
  };
  const start = (token: SessionToken): void => {
    isTakenOver = false;
    // What is cached is the former member's.
    if (isOfAnother(token)) show(null);
    take(token);
  };
  const renewOnce = (): Promise<string | null> => {
    renewal ??= renew()
      .then((token) => {
        if (token === null) set(null);
        else if (isOfAnother(token)) {
          isTakenOver = true;
          // The browser's session continues in the other tab, so the marker stays.
          show(null);
        } else take(token);
        return current?.token ?? null;
      })
      .finally(() => {
        renewal = null;
      });
    return renewal;
  };
  const getToken: Session["getToken"] = async (rejected = null, former = rejected) => {
    await ending;
    if (former !== null && !own.has(former)) return null;
    if (current === null && (isTakenOver || !marker.isSet())) return null;
    const isValid =
      current !== null &&
      current.token !== rejected &&
      now() < current.expiresAtMs - renewalMarginMs;
    return isValid ? (current?.token ?? null) : renewOnce();
  };
  return {
    token: () => current?.token ?? null,
    memberId: () => current?.memberId ?? null,
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
