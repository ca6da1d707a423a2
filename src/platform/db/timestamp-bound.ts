import { addSeconds, type Instant } from "../kernel/clock.ts";
import { parseQueryTimestamp } from "../kernel/query-timestamp.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

/** Beyond these (the years 1684 and 2255) an Instant is not exact, and nothing of ours has a time there. */
const earliest = Number.MIN_SAFE_INTEGER as Instant;
const latest = Number.MAX_SAFE_INTEGER as Instant;

/** A bound of a time filter as SQL compares it, `9999-12-31` for "no end" too; null when the text is no time. */
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
