/** What this page holds of the person's session: the access token, in memory alone, so that it ends with the page. */
export type Session = {
  /** The access token while it holds; null while nobody is signed in. */
  readonly token: () => string | null;
  /** Takes what a sign-in or a renewal answered. */
  readonly begin: (answer: SessionToken) => void;
  /** A token that should still hold and is not `rejected`; null when nobody is signed in. Throws when no answer comes. */
  readonly ensure: (rejected?: string | null) => Promise<string | null>;
  /** Forgets the session here and tells who listens; the service's own end of it is `signOut`. */
  readonly end: () => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export type SessionToken = { readonly access: string; readonly access_expired_at: string | null };

/** Remembers beyond the page whether there was a session, so that nobody asks for one where there is none. */
export type SessionMark = { readonly isSet: () => boolean; readonly set: (isSet: boolean) => void };

/** A token is renewed so long before its end. */
const marginMs = 30_000;
/** An end that is further away or nearer than this is told by a clock that goes wrong: then the service says when it is over. */
const believable = { fromMs: 60_000, toMs: 3_600_000 };

/** `renew` asks the service by the session's cookie for another token; null when it refuses. */
export function createSession(
  renew: () => Promise<SessionToken | null>,
  mark: SessionMark,
  now: () => number,
): Session {
  const listeners = new Set<() => void>();
  let held: { readonly token: string; readonly endsAtMs: number } | null = null;
  let flight: Promise<string | null> | null = null;
  const set = (next: typeof held): void => {
    held = next;
    mark.set(next !== null);
    for (const listener of listeners) listener();
  };
  const begin = ({ access, access_expired_at }: SessionToken): void => {
    const endsAtMs = Date.parse(access_expired_at ?? "");
    const leftMs = endsAtMs - now();
    const isBelievable = leftMs > believable.fromMs && leftMs < believable.toMs;
    set({ token: access, endsAtMs: isBelievable ? endsAtMs : Infinity });
  };
  const renewOnce = (): Promise<string | null> => {
    flight ??= renew()
      .then((answer) => {
        if (answer === null) set(null);
        else begin(answer);
        return answer?.access ?? null;
      })
      .finally(() => {
        flight = null;
      });
    return flight;
  };
  return {
    token: () => held?.token ?? null,
    begin,
    ensure: (rejected = null) => {
      if (held === null && !mark.isSet()) return Promise.resolve(null);
      const isGood = held !== null && held.token !== rejected && now() < held.endsAtMs - marginMs;
      return isGood ? Promise.resolve(held?.token ?? null) : renewOnce();
    },
    end: () => {
      set(null);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
