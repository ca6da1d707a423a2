import { readRetryAfter } from "./decide-retry.ts";
import { type ErrorEntry, SluiceError, SluiceUnreachable } from "./sluice-error.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body is sent. */
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

/** What `fetch` is told beside the request: `credentials: "same-origin"` and the like. */
export type FetchInit = Pick<RequestInit, "credentials" | "mode" | "cache" | "redirect">;

/**
 * Sends one request once. Throws `SluiceError` for a refusal, `SluiceUnreachable` where no answer came in time, and the
 * signal's reason where the caller gave up.
 */
export async function exchange(
  fetch: Fetch,
  request: HttpRequest,
  init: FetchInit = {},
): Promise<Exchanged> {
  const { method, url, headers, body, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const giveUp = new AbortController();
  const onAbort = (): void => {
    giveUp.abort(signal?.reason);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const ended = { isTimeout: false };
  const timer = setTimeout(() => {
    ended.isTimeout = true;
    giveUp.abort();
  }, timeoutMs);
  try {
    const sent = { method, headers, signal: giveUp.signal, redirect: "error" as const, ...init };
    const response = await fetch(url, body === null ? sent : { ...sent, body });
    return judge(response, await response.text());
  } catch (error) {
    if (error instanceof SluiceError) throw error;
    signal?.throwIfAborted();
    const what = ended.isTimeout ? `no answer within ${timeoutMs} ms` : "no answer";
    throw new SluiceUnreachable(`${method} ${url}: ${what}`, { cause: error, ...ended });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function judge(response: Response, text: string): Exchanged {
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

/** Undefined for what is no JSON. */
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
