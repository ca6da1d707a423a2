import { readRetryAfter } from "./decide-retry.ts";
import { type ErrorEntry, SluiceError, SluiceUnreachable } from "./sluice-error.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null sends no body. */
  readonly body: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

export type Exchanged = {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed document; null for an empty body. */
  readonly document: unknown;
};

/** Additional options for `fetch`, such as `credentials: "same-origin"`. */
export type FetchInit = Pick<RequestInit, "credentials" | "mode" | "cache" | "redirect">;

/**
 * Sends one request once. Throws `SluiceError` for an error response, `SluiceUnreachable` if no response arrived in time, and the
 * signal's reason if the caller aborted.
 */
export async function exchange(
  fetch: Fetch,
  request: HttpRequest,
  init: FetchInit = {},
): Promise<Exchanged> {
  const { method, url, headers, body, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const abort = new AbortController();
  const onAbort = (): void => {
    abort.abort(signal?.reason);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const outcome = { isTimeout: false };
  const timer = setTimeout(() => {
    outcome.isTimeout = true;
    abort.abort();
  }, timeoutMs);
  try {
    const sent = { method, headers, signal: abort.signal, redirect: "error" as const, ...init };
    const response = await fetch(url, body === null ? sent : { ...sent, body });
    return readExchanged(response, await response.text());
  } catch (error) {
    if (error instanceof SluiceError) throw error;
    signal?.throwIfAborted();
    const what = outcome.isTimeout ? `no response within ${timeoutMs} ms` : "no response";
    throw new SluiceUnreachable(`${method} ${url}: ${what}`, { cause: error, ...outcome });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function readExchanged(response: Response, text: string): Exchanged {
  const { status, headers } = response;
  const document = parse(text);
  if (status >= 200 && status < 300 && document !== undefined) return { status, headers, document };
  const { errors, meta } = isRecord(document) ? document : {};
  throw new SluiceError({
    status,
    errors: Array.isArray(errors) ? (errors as ErrorEntry[]) : [],
    meta: isRecord(meta) ? meta : {},
    requestId: headers.get("x-request-id"),
    retryAfterMs: readRetryAfter(headers.get("retry-after"), Date.now()),
  });
}

/** Undefined if the text is not JSON. */
function parse(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
