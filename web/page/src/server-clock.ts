/** Milliseconds by which the server's clock is ahead of this device's, measured when a response arrives. */
export function clockOffsetMs(serverNow: string, deviceNowMs: number): number {
  return Date.parse(serverNow) - deviceNowMs;
}

/**
 * Refines the offset of the server's clock by a response that was requested at `requestedMs` (null: pushed) and arrived at
 * `arrivedMs`, both by this device's clock. Latency makes the server look late, so the known offset stays as long as the response
 * is consistent with it. It is inconsistent after this device's clock was changed.
 */
export function refineOffsetMs(
  knownMs: number,
  serverNow: string,
  requestedMs: number | null,
  arrivedMs: number,
): number {
  const least = clockOffsetMs(serverNow, arrivedMs);
  const most =
    requestedMs === null ? Number.POSITIVE_INFINITY : clockOffsetMs(serverNow, requestedMs);
  return knownMs < least || knownMs > most ? least : knownMs;
}

/** Milliseconds until an instant by the server's clock, at least zero; null without an instant. */
export function remainingMs(
  instant: string | null,
  deviceNowMs: number,
  offsetMs: number,
): number | null {
  if (instant === null) return null;
  return Math.max(0, Date.parse(instant) - (deviceNowMs + offsetMs));
}
