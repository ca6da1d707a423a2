import type { Instant } from "./clock.ts";

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/** As in PostgreSQL; real offsets are at most 14 hours. */
const offsetHoursMax = 15;

/** Formats as UTC with microseconds and `Z`, the only format the service sends: `2026-01-02T03:04:05.678901Z`. */
export function formatTimestamp(at: Instant): string {
  const seconds = Math.floor(at / 1_000_000);
  const micros = at - seconds * 1_000_000;
  const date = new Date(seconds * 1000).toISOString();
  return `${date.slice(0, 19)}.${String(micros).padStart(6, "0")}Z`;
}

/** Like `formatTimestamp`; null for null. */
export function formatTimestampOrNull(at: Instant | null): string | null {
  return at === null ? null : formatTimestamp(at);
}

/**
 * Parses an ISO 8601 date or date-time, or PostgreSQL's `timestamptz` format; UTC without an offset. Digits beyond the
 * microsecond are dropped. Null for anything else, including impossible dates such as February 30.
 */
export function parseTimestamp(text: string): Instant | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] =
    match;
  const fields = [year, month, day, hour, minute, second].map((field) => Number(field ?? 0));
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = fields;
  if (y < 1 || h > 23 || mi > 59 || s > 59) return null;
  if (Number(offsetHours ?? 0) > offsetHoursMax || Number(offsetMinutes ?? 0) > 59) return null;
  const millis = Date.UTC(y, mo - 1, d, h, mi, s);
  const date = new Date(millis);
  if (date.getUTCMonth() !== mo - 1 || date.getUTCDate() !== d || date.getUTCFullYear() !== y)
    return null;
  const offset =
    (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (sign === "-" ? -1 : 1);
  const micros = Number((fraction ?? "").slice(0, 6).padEnd(6, "0"));
  return ((millis - offset * 60_000) * 1000 + micros) as Instant;
}

/** Converts to a JavaScript date (whole milliseconds), for libraries that require one. */
export function toDate(at: Instant): Date {
  return new Date(Math.floor(at / 1000));
}
