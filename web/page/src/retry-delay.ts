const firstMs = 1_000;
const longestMs = 30_000;

/**
 * Delay before the next attempt: doubles with each consecutive failure up to 30 seconds, plus up to half of it at random
 * (`chance` 0 to 1), so that pages do not all reconnect at once. Never less than the server's `Retry-After`.
 */
export function retryDelayMs(
  failures: number,
  chance: number,
  retryAfterMs: number | null,
): number {
  const doubled = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.max(retryAfterMs ?? 0, Math.round(doubled * (1 + chance / 2)));
}
