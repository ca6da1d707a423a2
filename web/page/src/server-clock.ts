/** Milliseconds that the server's clock is ahead of this device's, at the moment its answer arrived. */
export function clockOffsetMs(serverNow: string, deviceNowMs: number): number {
  return Date.parse(serverNow) - deviceNowMs;
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
