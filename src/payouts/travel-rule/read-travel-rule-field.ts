import type { JsonValue } from "../../platform/kernel/json.ts";
import type { Rejection } from "../../platform/kernel/rejection.ts";
import { readTravelRule } from "./read-travel-rule.ts";
import type { TravelRuleInfo } from "./travel-rule.ts";

/** Parses the attribute `travel_rule_info`; null when it is absent or invalid. */
export function readTravelRuleField(value: JsonValue): {
  readonly info: TravelRuleInfo | null;
  readonly faults: readonly Rejection[];
} {
  if (value === null) return { info: null, faults: [] };
  const reading = readTravelRule(value, "/data/attributes/travel_rule_info");
  return reading.kind === "read"
    ? { info: reading.info, faults: [] }
    : { info: null, faults: reading.rejections };
}
