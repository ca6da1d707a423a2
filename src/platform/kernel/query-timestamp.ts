import type { Instant } from "./clock.ts";
import { parseTimestamp } from "./timestamp.ts";

/**
 * Parses a time from a query parameter like `parseTimestamp`, but also accepts an unencoded `+` of the offset, which
 * arrives as a space (`2026-01-02T03:04:05 02:00`). Null for anything else.
 */
export function parseQueryTimestamp(text: string): Instant | null {
  return parseTimestamp(text) ?? parseTimestamp(text.replace(/ (?=\d\d:?\d\d$)/, "+"));
}
