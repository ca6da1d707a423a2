import { assertMayView } from "../../accounts/assert-may-view.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { OperatorAct } from "../../accounts/operator-act.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { isBlocked } from "../payments/decide-transfer.ts";
import { readTransferRows, references } from "../payments/incoming.store.ts";
import { type DepositContext, reconsider } from "../payments/reconsider.ts";
import { unpriced } from "../payments/transfer-changes.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { needsRevaluation } from "./revalue-transfers.ts";

/**
 * Releases a transfer that screening has blocked: it continues as if it had scored green. The caller has verified that the principal
 * is an operator. Rejects with noPermissionToView, invalidValue. Null: the account has no such transfer.
 */
export async function releaseTransfer(
  context: DepositContext & { readonly db: Database; readonly clock: Clock },
  { principal, audits }: OperatorAct,
  id: string,
): Promise<TransferRecord | null> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const [transfer] = await readTransferRows(tx, [id], []);
    if (transfer?.accountId !== principal.accountId) return null;
    assertMayView(principal, transfer, "transfer");
    const found = await references.byIds(tx, [id]);
    const [decision] = await reconsider(
      tx,
      context,
      {
        depositIds: found.map((row) => row.deposit_id),
        transferIds: [id],
        tips: new Map(),
        now,
      },
      ({ deposit, transfers }) => ({
        deposit,
        transfers: transfers.map((candidate) => {
          if (candidate.id !== id) return candidate;
          if (!isBlocked(candidate)) reject("invalidValue", "The transfer is not blocked.");
          if (candidate.refund !== null) reject("invalidValue", "The transfer was refunded.");
          // A payment held past the end of its rate lock is revalued.
          const value = needsRevaluation(candidate, deposit, now)
            ? { ...unpriced, revaluedAt: now }
            : {};
          return { ...candidate, ...value, releasedAt: now };
        }),
      }),
    );
    await recordAudit(tx, ...audits("transfer.released", { type: "transfer", id }, now));
    return decision?.transfers.find((candidate) => candidate.id === id) ?? null;
  });
}
