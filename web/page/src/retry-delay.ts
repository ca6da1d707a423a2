const firstMs = 1_000;
const longestMs = 30_000;

/**
 * How long to wait before asking again after so many failures in a row: doubled each time up to half a minute, with up to
 * half of it added by chance, so that the pages of a service that comes back do not ask all at once. A server's own
 * `Retry-After` is never undercut.
 */
export function retryDelayMs(
  failures: number,
  chance: number,
  retryAfterMs: number | null,
): number {
  const doubled = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.max(retryAfterMs ?? 0, Math.round(doubled * (1 + chance / 2)));
}
