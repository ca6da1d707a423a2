/** Milliseconds that the server's clock is ahead of this device's, at the moment its answer arrived. */
export function clockOffsetMs(serverNow: string, deviceNowMs: number): number {
  return Date.parse(serverNow) - deviceNowMs;
}

/**
 * How far the server's clock is ahead, after an answer that was asked for at `askedMs` of this device's (null: it came by itself)
 * and arrived at `arrivedMs`. The longer it was on its way, the further back it makes the server look: so one that arrives late changes
 * nothing, unless what is known is impossible by it, as after this device's own clock was set.
 */
export function closerOffsetMs(
  knownMs: number,
  serverNow: string,
  askedMs: number | null,
  arrivedMs: number,
): number {
  const least = clockOffsetMs(serverNow, arrivedMs);
  const most = askedMs === null ? Number.POSITIVE_INFINITY : clockOffsetMs(serverNow, askedMs);
  return knownMs < least || knownMs > most ? least : knownMs;
}

/** Whole milliseconds until an instant by the server's clock, never below zero; null for no instant. */
export function remainingMs(
  instant: string | null,
  deviceNowMs: number,
  offsetMs: number,
): number | null {
  if (instant === null) return null;
  return Math.max(0, Date.parse(instant) - (deviceNowMs + offsetMs));
}
