import { assertMayView } from "../../accounts/assert-may-view.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { OperatorAct } from "../../accounts/operator-act.ts";
import type { FreezeRates } from "../../currencies/rates/current-rate.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { type RevaluationContext, revalueCharge } from "../approve/revalue-payout.ts";
import { changePayouts, type PayoutContext } from "../change-payouts.ts";
import type { Payout } from "../payout.ts";
import { readPayoutOfTransfer } from "../payout-list.store.ts";

export type ReleaseContext = PayoutContext &
  RevaluationContext & {
    readonly db: Database;
    readonly clock: Clock;
    readonly freezeRates: FreezeRates;
  };

/**
 * Releases a payout that screening or policy blocked, identified by its transfer, so that it can be sent. The caller
 * has checked that the principal operates the deployment. A payout in another currency than its wallet's that has
 * waited too long is charged at the current ask. Rejects with noPermissionToView, invalidValue, insufficientFunds,
 * feeUnavailable. Null if the account has no such payout transfer.
 */
export async function releasePayout(
  context: ReleaseContext,
  { principal, audits }: OperatorAct,
  transferId: string,
): Promise<Payout | null> {
  const findRate = await context.freezeRates();
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const found = await readPayoutOfTransfer(tx, principal.accountId, transferId);
    if (found === null) return null;
    assertMayView(principal, found, "transfer");
    const charge = await revalueCharge(tx, { ...context, findRate }, found.id, now);
    const [change] = await changePayouts(
      tx,
      context,
      [found.id],
      (payout): Payout => {
        if (payout.stage !== "blocked") reject("invalidValue", "The transfer is not on hold.");
        const words = { message: null, userMessage: null };
        return {
          ...payout,
          ...words,
          rate: charge?.rate ?? payout.rate,
          chargedUnits: charge?.chargedUnits ?? payout.chargedUnits,
          stage: "held",
          releasedAt: now,
          spendId: null,
        };
      },
      now,
    );
    await recordAudit(tx, ...audits("payout.released", { type: "payout", id: found.id }, now));
    return present(change, "the payout just locked").after;
  });
}
