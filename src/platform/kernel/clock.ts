import type { Brand } from "./brand.ts";

/** Microseconds since 1970-01-01T00:00:00Z. A double holds them exactly until the year 2255. */
export type Instant = Brand<number, "Instant">;

export const microsPerSecond = 1_000_000;

/** The latest time that an `Instant` represents exactly, in seconds since 1970: the year 2255. Nodes must not name a later one. */
export const latestSeconds = Math.floor(Number.MAX_SAFE_INTEGER / microsPerSecond);

/**
 * The time, or the nearest one that an `Instant` represents exactly (the years 1684 to 2255). For times that callers name: nothing that is
 * stored lies beyond, and PostgreSQL reads all of these as they are formatted.
 */
export function clampInstant(at: Instant): Instant {
  return Math.min(Math.max(at, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) as Instant;
}

/** Time, passed in wherever it matters so that tests can control it. */
export type Clock = {
  readonly now: () => Instant;
  /** Resolves after `delayMs`, or early, without an error, when `signal` aborts. */
  readonly sleep: (delayMs: number, signal?: AbortSignal) => Promise<void>;
};

/** Converts seconds since 1970-01-01T00:00:00Z, rounded to the microsecond. */
export function instantFromSeconds(seconds: number): Instant {
  return Math.round(seconds * microsPerSecond) as Instant;
}

/** Adds seconds, which may be negative, rounded to the microsecond. */
export function addSeconds(at: Instant, seconds: number): Instant {
  return (at + Math.round(seconds * microsPerSecond)) as Instant;
}

/** Seconds from `earlier` to `later`; negative if they are in the other order. */
export function secondsBetween(earlier: Instant, later: Instant): number {
  return (later - earlier) / microsPerSecond;
}
