import { addSeconds, clampInstant } from "../kernel/clock.ts";
import { parseQueryTimestamp } from "../kernel/query-timestamp.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

/** Converts a bound of a time filter for SQL. Extreme dates (`9999-12-31` for "no end") are clamped. Null if the text is not a time. */
export function timestampBound(
  side: "from" | "to",
  text: string,
): { readonly operator: ">=" | "<=" | "<"; readonly timestamp: string } | null {
  const at = parseQueryTimestamp(text);
  if (at === null) return null;
  const isDate = text.length === 10;
  if (side === "from") return { operator: ">=", timestamp: formatTimestamp(clampInstant(at)) };
  return isDate
    ? { operator: "<", timestamp: formatTimestamp(clampInstant(addSeconds(at, 86_400))) }
    : { operator: "<=", timestamp: formatTimestamp(clampInstant(at)) };
}
