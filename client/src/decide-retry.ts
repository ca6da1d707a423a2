/** How often and how patiently a request is sent again. */
export type RetrySettings = {
  /** How often it is sent again at most. */
  readonly retries: number;
  /** The first delay's upper bound; each further one is twice as long. */
  readonly delayMs: number;
  readonly delayMaxMs: number;
  /** The longest `Retry-After` that is waited for; a longer one is the caller's to decide. */
  readonly retryAfterMaxMs: number;
};

/** How a request failed. */
export type Failure =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Whether the service itself refused, with an error document: then it did nothing. A proxy's page says nothing. */
      readonly isFromService: boolean;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: "unreachable" };

/** Whether what was asked can have happened although the answer is a failure. */
export function isOutcomeUnknown(failure: Failure): boolean {
  if (failure.kind === "unreachable") return true;
  const { status, isFromService } = failure;
  return status === 502 || status === 504 || (status === 503 && !isFromService);
}

/**
 * Milliseconds until the request is sent again, or null: not at all. 429 and the service's own 503 did nothing, so
 * everything may be repeated after them. After an unknown outcome only what `isRepeatable`: reads, `PATCH`, `DELETE`, and
 * creates with an idempotency key. Delays are drawn from the upper half of an exponentially growing bound.
 */
export function decideRetry(
  failure: Failure,
  request: { readonly attempt: number; readonly isRepeatable: boolean },
  settings: RetrySettings,
  random: () => number,
): number | null {
  if (request.attempt > settings.retries) return null;
  const isRefusedForNow =
    failure.kind === "answer" &&
    (failure.status === 429 || (failure.status === 503 && failure.isFromService));
  const isRepeated = isRefusedForNow || (isOutcomeUnknown(failure) && request.isRepeatable);
  if (!isRepeated) return null;
  const bound = Math.min(settings.delayMaxMs, settings.delayMs * 2 ** (request.attempt - 1));
  const drawn = bound * (0.5 + random() / 2);
  const asked = failure.kind === "answer" ? failure.retryAfterMs : null;
  if (asked === null) return drawn;
  return asked > settings.retryAfterMaxMs ? null : asked + drawn / 2;
}

/** `Retry-After`, seconds or an HTTP date, in milliseconds from now; null for none or an unreadable one. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
