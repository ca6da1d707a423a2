import type { Principal } from "../../accounts/principal.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import { maySeeTravelRule } from "../travel-rule/may-see-travel-rule.ts";
import { type Beneficiary, beneficiaryTravelRuleContext } from "./beneficiary.ts";

/** Who is behind it, in the interface's shape; null where nothing was given, and for a role that may not see it. */
export function openBeneficiary(
  { id, travelRuleSealed }: Beneficiary,
  principal: Pick<Principal, "role">,
  seal: Seal,
): JsonObject | null {
  if (travelRuleSealed === null || !maySeeTravelRule(principal)) return null;
  const plain = seal.open(travelRuleSealed, beneficiaryTravelRuleContext(id));
  return JSON.parse(new TextDecoder().decode(plain)) as JsonObject;
}
