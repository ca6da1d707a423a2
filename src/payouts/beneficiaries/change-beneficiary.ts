import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import { readBeneficiaryRow, updateBeneficiary } from "./beneficiary.store.ts";
import type { Beneficiary } from "./beneficiary.ts";
import { assertMayChangeBeneficiaries, type BeneficiaryContext } from "./context.ts";
import { sealTravelRule } from "./seal-travel-rule.ts";

/**
 * Changes name or travel-rule data: undefined keeps them, null clears. The address never changes, because people who trust the name trust
 * its address. Null when the account has no such beneficiary. Rejects `permissionDenied`.
 */
export async function changeBeneficiary(
  { db, clock, seal }: BeneficiaryContext,
  principal: Principal,
  id: string,
  change: {
    readonly name: string | undefined;
    readonly travelRule: TravelRuleInfo | null | undefined;
  },
): Promise<Beneficiary | null> {
  assertMayChangeBeneficiaries(principal);
  const { name, travelRule } = change;
  const { accountId } = principal;
  const now = clock.now();
  return db.transaction(async (tx) => {
    const travelRuleSealed =
      travelRule === null || travelRule === undefined
        ? travelRule
        : sealTravelRule(seal, id, travelRule);
    const isThere = await updateBeneficiary(tx, { accountId, id }, { name, travelRuleSealed }, now);
    if (!isThere) return null;
    await recordAudit(tx, {
      by: principal,
      action: "beneficiary.changed",
      at: now,
      object: { type: "beneficiary", id },
      summary: {
        ...(name === undefined ? {} : { name }),
        ...(travelRule === undefined ? {} : { travel_rule_changed: true }),
      },
    });
    return readBeneficiaryRow(tx, accountId, id);
  });
}
