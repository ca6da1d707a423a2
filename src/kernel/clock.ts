import type { Brand } from "./brand.ts";

/** Microseconds since 1970-01-01T00:00:00Z. A double holds them exactly until the year 2255. */
export type Instant = Brand<number, "Instant">;

export const microsPerSecond = 1_000_000;

/** The passage of time, handed in wherever it matters so that tests decide it. */
export type Clock = {
  readonly now: () => Instant;
  /** Resolves after `delayMs`, or early (without an error) when `signal` aborts. */
  readonly sleep: (delayMs: number, signal?: AbortSignal) => Promise<void>;
};

export function instantFromSeconds(seconds: number): Instant {
  return Math.round(seconds * microsPerSecond) as Instant;
}

export function addSeconds(at: Instant, seconds: number): Instant {
  return (at + Math.round(seconds * microsPerSecond)) as Instant;
}

export function secondsBetween(earlier: Instant, later: Instant): number {
  return (later - earlier) / microsPerSecond;
}
