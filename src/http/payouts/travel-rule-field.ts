import { readTravelRule } from "../../payouts/travel-rule/read-travel-rule.ts";
import type { TravelRuleInfo } from "../../payouts/travel-rule/travel-rule.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import type { Rejection } from "../../platform/kernel/rejection.ts";

/** Reads the attribute `travel_rule_info`; null where it is not given, or has faults. */
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
