import { addSeconds, type Instant } from "../kernel/clock.ts";
import { parseQueryTimestamp } from "../kernel/query-timestamp.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

/** Beyond these (the years 1684 and 2255) an Instant is not exact, and no row has such a time. */
const earliest = Number.MIN_SAFE_INTEGER as Instant;
const latest = Number.MAX_SAFE_INTEGER as Instant;

/** Converts a bound of a time filter for SQL. Extreme dates (`9999-12-31` for "no end") are clamped. Null if the text is not a time. */
export function timestampBound(
  side: "from" | "to",
  text: string,
): { readonly operator: ">=" | "<=" | "<"; readonly timestamp: string } | null {
  const at = parseQueryTimestamp(text);
  if (at === null) return null;
  const isDate = text.length === 10;
  if (side === "from") return { operator: ">=", timestamp: formatTimestamp(clamped(at)) };
  return isDate
    ? { operator: "<", timestamp: formatTimestamp(clamped(addSeconds(at, 86_400))) }
    : { operator: "<=", timestamp: formatTimestamp(clamped(at)) };
}

function clamped(at: Instant): Instant {
  if (at < earliest) return earliest;
  return at > latest ? latest : at;
}
