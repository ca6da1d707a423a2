import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import { removeBeneficiaryRow } from "./beneficiary.store.ts";
import { type BeneficiaryContext, requireWriter } from "./context.ts";

/** Takes one away; payouts made to it stay as they are. Rejects with `permissionDenied`. False: there is none of that id. */
export function removeBeneficiary(
  { db, clock }: BeneficiaryContext,
  principal: Principal,
  id: string,
): Promise<boolean> {
  requireWriter(principal);
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
