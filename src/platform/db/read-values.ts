import { present } from "../kernel/assert.ts";
import type { Instant } from "../kernel/clock.ts";
import { parseTimestamp } from "../kernel/timestamp.ts";

const utc = /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

/**
 * Parses PostgreSQL's text form of a `timestamptz`. Sessions run in UTC, so it is `2026-02-03 04:05:06.789012+00`, which this
 * parses in a third of the general parser's time; a page of ten deposits has fifty of them.
 */
export function readTimestamp(text: string): Instant {
  if (!utc.test(text)) return present(parseTimestamp(text), `timestamptz ${text}`);
  const millis = Date.UTC(
    digits(text, 0) * 100 + digits(text, 2),
    digits(text, 5) - 1,
    digits(text, 8),
    digits(text, 11),
    digits(text, 14),
    digits(text, 17),
  );
  let micros = 0;
  for (let at = 20; at < 26; at += 1)
    micros = micros * 10 + (at < text.length - 3 ? digit(text, at) : 0);
  return (millis * 1000 + micros) as Instant;
}

/** Parses a whole `numeric`. Most amounts of most rows are zero. */
export function readWholeNumber(text: string): bigint {
  return text === "0" ? 0n : BigInt(text);
}

function digits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 48;
}
