import type { SeenCall } from "../chaos/api-client.ts";

/** A stretch of time, in milliseconds of `performance.now()`. */
export type Stretch = { readonly fromMs: number; readonly toMs: number };

/**
 * How long clients that never pause saw the service unavailable in that time, in seconds: from the first call that failed, or from
 * `fromMs` if that one began before, to the first success after the last failure. A success that took longer counts too. Rate limits count as
 * neither.
 */
export function secondsAway(calls: readonly SeenCall[], { fromMs, toMs }: Stretch): number {
  const within = calls.filter(({ startedMs, endedMs }) => endedMs > fromMs && startedMs < toMs);
  const failures = within.filter(isFailure);
  const successes = within.filter((call) => call.status !== null && call.status < 429);
  const waits = successes.map(({ startedMs, endedMs }) => endedMs - Math.max(startedMs, fromMs));
  const longestWait = Math.max(0, ...waits);
  if (failures.length === 0) return longestWait / 1000;
  const first = Math.max(fromMs, Math.min(...failures.map(({ startedMs }) => startedMs)));
  const last = Math.max(...failures.map(({ endedMs }) => endedMs));
  const later = successes.map(({ endedMs }) => endedMs).filter((endedMs) => endedMs > last);
  const end = later.length === 0 ? toMs : Math.min(...later);
  return Math.max(longestWait, end - first) / 1000;
}

function isFailure({ status }: SeenCall): boolean {
  return status === null || status >= 500;
}

/** Why an address or a price is missing, which an outage of the database is no reason for. */
const excuses = ["5005", "5006"];

/** What an outage must not show to a client: a broken connection, an error of ours, a 503 that does not say when to come back. */
export function wrongAnswers(calls: readonly SeenCall[]): readonly string[] {
  return calls.flatMap((call) => {
    const { method, path, status, retryAfter, reasons } = call;
    const name = `${method} ${path}`;
    if (status === null) return [`${name}: no answer (${reasons.join(": ")})`];
    if (status === 503 && retryAfter === null)
      return [`${name}: 503 ${reasons.join()} without Retry-After`];
    const isWrong =
      (status >= 500 && status !== 503) || reasons.some((one) => excuses.includes(one));
    return isWrong ? [`${name}: ${status} ${reasons.join()}`] : [];
  });
}
