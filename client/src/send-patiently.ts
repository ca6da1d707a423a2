import type { AccessTokens } from "./access-tokens.ts";
import { decideRetry, type Failure, isOutcomeUnknown, type RetrySettings } from "./decide-retry.ts";
import { type Exchanged, exchange, type Fetch, type FetchInit } from "./exchange.ts";
import { pause } from "./pause.ts";
import { SluiceError, SluiceUnreachable } from "./sluice-error.ts";

/** What every request of a client is sent with. */
export type Sending = {
  readonly fetch: Fetch;
  readonly fetchInit: FetchInit;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retry: RetrySettings;
  /** Null: no request carries a token. */
  readonly tokens: AccessTokens | null;
};

export type Letter = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether it may be sent again when nobody knows whether it was carried out. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /**
   * Asked instead of a further attempt, or of giving up, as long as an earlier attempt may have been carried out: what that one
   * made, or null. `error` is the newest failure.
   */
  readonly recover?: Recover | undefined;
  /** Whether it may have been sent before this call. */
  readonly isResumed?: boolean | undefined;
};

/** `elapsedMs`: since the first attempt of this call. */
export type Recover = (
  error: SluiceError | SluiceUnreachable,
  elapsedMs: () => number,
) => Promise<Exchanged | null>;

export type Sent = Exchanged & { readonly attempts: number };

/**
 * Sends a request until it is answered, refused for good, or sent often enough. A refused token is renewed once. Throws
 * `SluiceError`, `SluiceUnreachable` or the signal's reason.
 */
export async function sendPatiently(sending: Sending, letter: Letter): Promise<Sent> {
  const { signal } = letter;
  const settings =
    letter.retries === undefined ? sending.retry : { ...sending.retry, retries: letter.retries };
  const startedAtMs = Date.now();
  let isUnknown = letter.isResumed === true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { ...(await sendWithToken(sending, letter)), attempts: attempt };
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      const isRepeatable = letter.isRepeatable || letter.recover !== undefined;
      const delayMs = decideRetry(failure, { attempt, isRepeatable }, settings, Math.random);
      isUnknown ||= isOutcomeUnknown(failure);
      if (delayMs !== null) await pause(delayMs, signal);
      const recovered = isUnknown
        ? await letter.recover?.(error as SluiceError, () => Date.now() - startedAtMs)
        : null;
      if (recovered !== null && recovered !== undefined) return { ...recovered, attempts: attempt };
      if (delayMs === null) throw error;
    }
  }
}

/** What a thrown value says of the request; null for what is no failure of it: the caller gave up, our bug. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof SluiceUnreachable) return { kind: "unreachable" };
  if (!(error instanceof SluiceError)) return null;
  const { status, errors, retryAfterMs } = error;
  return { kind: "answer", status, isFromService: errors.length > 0, retryAfterMs };
}

/** A 401 did nothing, so the request may be sent again whatever it is. */
async function sendWithToken(sending: Sending, letter: Letter): Promise<Exchanged> {
  const token = (await sending.tokens?.get()) ?? null;
  try {
    return await sendOnce(sending, letter, token);
  } catch (error) {
    const isRefused = error instanceof SluiceError && error.status === 401;
    if (!isRefused || sending.tokens === null || token === null) throw error;
    const renewed = await sending.tokens.get(token);
    if (renewed === null || renewed === token) throw error;
    return sendOnce(sending, letter, renewed);
  }
}

function sendOnce(sending: Sending, letter: Letter, token: string | null): Promise<Exchanged> {
  const headers = {
    accept: "application/vnd.api+json",
    ...(letter.body === null ? {} : { "content-type": "application/vnd.api+json" }),
    ...sending.headers,
    ...letter.headers,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const timeoutMs = letter.timeoutMs ?? sending.timeoutMs;
  const { method, url, body, signal } = letter;
  return exchange(
    sending.fetch,
    { method, url, headers, body, timeoutMs, signal },
    sending.fetchInit,
  );
}
