import type { Seal } from "../../platform/kernel/seal.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import { beneficiaryTravelRuleContext } from "./beneficiary.ts";

/** Seals a beneficiary's travel-rule data. */
export function sealTravelRule(seal: Seal, id: string, info: TravelRuleInfo): Uint8Array {
  return seal.seal(
    new TextEncoder().encode(JSON.stringify(info)),
    beneficiaryTravelRuleContext(id),
  );
}
