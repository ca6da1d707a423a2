import type { Principal } from "../../accounts/principal.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import { mayViewTravelRule } from "../travel-rule/may-view-travel-rule.ts";
import { type Beneficiary, beneficiaryTravelRuleContext } from "./beneficiary.ts";

/** A beneficiary's travel-rule data as the interface shapes it; null where there is none, and for roles that may not view it. */
export function openTravelRule(
  { id, travelRuleSealed }: Beneficiary,
  principal: Pick<Principal, "role">,
  seal: Seal,
): JsonObject | null {
  if (travelRuleSealed === null || !mayViewTravelRule(principal)) return null;
  const plain = seal.open(travelRuleSealed, beneficiaryTravelRuleContext(id));
  return JSON.parse(new TextDecoder().decode(plain)) as JsonObject;
}
