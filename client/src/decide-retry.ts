/** Limits and delays of retries. */
export type RetrySettings = {
  /** Maximum number of retries. */
  readonly retries: number;
  /** Upper bound of the first delay; it doubles with each retry. */
  readonly delayMs: number;
  readonly delayMaxMs: number;
  /** Longest `Retry-After` to wait for; a longer one fails the call. */
  readonly retryAfterMaxMs: number;
};

/** How a request failed. */
export type Failure =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Whether the service itself responded with an error document, which means that it did nothing. */
      readonly isFromService: boolean;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: "unreachable" };

/** Whether the request may have been executed despite the failure. */
export function isOutcomeUnknown(failure: Failure): boolean {
  if (failure.kind === "unreachable") return true;
  const { status, isFromService } = failure;
  return status === 502 || status === 504 || (status === 503 && !isFromService);
}

/**
 * Decides the delay in milliseconds before a retry, or null for no retry. After 429 and the service's own 503 nothing was done, so
 * every request is retried. After an unknown outcome only `isRepeatable` requests are: reads, `PATCH`, `DELETE`, and creations with an
 * idempotency key. Delays are random in the upper half of an exponentially growing bound.
 */
export function decideRetry(
  failure: Failure,
  request: { readonly attempt: number; readonly isRepeatable: boolean },
  settings: RetrySettings,
  random: () => number,
): number | null {
  if (request.attempt > settings.retries) return null;
  const isTemporary =
    failure.kind === "answer" &&
    (failure.status === 429 || (failure.status === 503 && failure.isFromService));
  const isRetried = isTemporary || (isOutcomeUnknown(failure) && request.isRepeatable);
  if (!isRetried) return null;
  const bound = Math.min(settings.delayMaxMs, settings.delayMs * 2 ** (request.attempt - 1));
  const delay = bound * (0.5 + random() / 2);
  const retryAfter = failure.kind === "answer" ? failure.retryAfterMs : null;
  if (retryAfter === null) return delay;
  return retryAfter > settings.retryAfterMaxMs ? null : retryAfter + delay / 2;
}

/** Parses `Retry-After` (seconds or an HTTP date) into milliseconds from now; null if absent or malformed. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
