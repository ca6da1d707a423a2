import type { AccessTokens } from "./access-tokens.ts";
import { decideRetry, type Failure, isOutcomeUnknown, type RetrySettings } from "./decide-retry.ts";
import { type Exchanged, exchange, type Fetch, type FetchInit } from "./exchange.ts";
import { pause } from "./pause.ts";
import { SluiceError, SluiceUnreachable } from "./sluice-error.ts";

/** Settings shared by all requests of a client. */
export type Transport = {
  readonly fetch: Fetch;
  readonly fetchInit: FetchInit;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retry: RetrySettings;
  /** Null: requests carry no token. */
  readonly tokens: AccessTokens | null;
};

export type RetriableRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether it can be sent again if its outcome is unknown. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /**
   * Called before a retry or the final error if an earlier attempt may have been executed; returns the result of that attempt, or
   * null.
   */
  readonly recover?: Recover | undefined;
  /** Whether it may have been sent before this call. */
  readonly isResumed?: boolean | undefined;
};

/** `error` is the newest failure, `elapsedMs` the time since the first attempt. */
export type Recover = (
  error: SluiceError | SluiceUnreachable,
  elapsedMs: () => number,
) => Promise<Exchanged | null>;

export type Sent = Exchanged & { readonly attempts: number };

/** Sends a request with retries. Renews a rejected token once. Throws `SluiceError`, `SluiceUnreachable` or the signal's reason. */
export async function sendWithRetries(
  transport: Transport,
  request: RetriableRequest,
): Promise<Sent> {
  const { signal } = request;
  const settings =
    request.retries === undefined
      ? transport.retry
      : { ...transport.retry, retries: request.retries };
  const startedAtMs = Date.now();
  const sender: Sender = { token: null };
  let isUnknown = request.isResumed === true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { ...(await sendWithToken(transport, request, sender)), attempts: attempt };
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      const isRepeatable = request.isRepeatable || request.recover !== undefined;
      const delayMs = decideRetry(failure, { attempt, isRepeatable }, settings, Math.random);
      isUnknown ||= isOutcomeUnknown(failure);
      if (delayMs !== null) await pause(delayMs, signal);
      const recovered = isUnknown
        ? await request.recover?.(error as SluiceError, () => Date.now() - startedAtMs)
        : null;
      if (recovered !== null && recovered !== undefined) return { ...recovered, attempts: attempt };
      if (delayMs === null) throw error;
    }
  }
}

/** Classifies a thrown value; null if it is not a failure of the request, such as an abort. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof SluiceUnreachable) return { kind: "unreachable" };
  if (!(error instanceof SluiceError)) return null;
  const { status, errors, retryAfterMs } = error;
  return { kind: "answer", status, isFromService: errors.length > 0, retryAfterMs };
}

/** The token that a request was last sent with; null before its first attempt. */
type Sender = { token: string | null };

/** A 401 means that nothing was done, so every request can be sent again. */
async function sendWithToken(
  transport: Transport,
  request: RetriableRequest,
  sender: Sender,
): Promise<Exchanged> {
  const token = (await transport.tokens?.get(null, sender.token)) ?? null;
  sender.token = token;
  try {
    return await sendOnce(transport, request, token);
  } catch (error) {
    const isRejected = error instanceof SluiceError && error.status === 401;
    if (!isRejected || transport.tokens === null || token === null) throw error;
    const renewed = await transport.tokens.get(token, token);
    if (renewed === null || renewed === token) throw error;
    sender.token = renewed;
    return sendOnce(transport, request, renewed);
  }
}

function sendOnce(
  transport: Transport,
  request: RetriableRequest,
  token: string | null,
): Promise<Exchanged> {
  const headers = {
    accept: "application/vnd.api+json",
    ...(request.body === null ? {} : { "content-type": "application/vnd.api+json" }),
    ...transport.headers,
    ...request.headers,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const timeoutMs = request.timeoutMs ?? transport.timeoutMs;
  const { method, url, body, signal } = request;
  return exchange(
    transport.fetch,
    { method, url, headers, body, timeoutMs, signal },
    transport.fetchInit,
  );
}
