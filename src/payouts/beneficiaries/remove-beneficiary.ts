import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import { removeBeneficiaryRow } from "./beneficiary.store.ts";
import { assertMayChangeBeneficiaries, type BeneficiaryContext } from "./context.ts";

/** Removes a beneficiary; its payouts do not change. False when the account has no such beneficiary. Rejects `permissionDenied`. */
export function removeBeneficiary(
  { db, clock }: BeneficiaryContext,
  principal: Principal,
  id: string,
): Promise<boolean> {
  assertMayChangeBeneficiaries(principal);
  return db.transaction(async (tx) => {
    const name = await removeBeneficiaryRow(tx, principal.accountId, id);
    if (name === null) return false;
    await recordAudit(tx, {
      by: principal,
      action: "beneficiary.removed",
      at: clock.now(),
      object: { type: "beneficiary", id },
      summary: { name },
    });
    return true;
  });
}
