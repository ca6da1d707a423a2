/** A time (ISO 8601, in UTC) as messages state it, with its zone because the reader's is unknown: `2026-03-01 12:30 UTC`. */
export function utcTime(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}
