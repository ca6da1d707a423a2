import { assertMayView } from "../../accounts/assert-may-view.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { OperatorAct } from "../../accounts/operator-act.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { isBlocked } from "../payments/decide-transfer.ts";
import { readTransferRows, references } from "../payments/incoming.store.ts";
import { unpriced } from "../payments/transfer-changes.ts";
import { type DepositContext, reconsider } from "../payments/reconsider.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { needsRevaluation } from "./revalue-transfers.ts";

/**
 * Lets a transfer pass that screening had blocked: it goes on as if it had scored green. For those who operate the deployment, which
 * the caller has checked. Rejects with noPermissionToView, invalidValue. Null: the account has no such transfer.
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
          if (candidate.refund !== null) reject("invalidValue", "The transfer was paid back.");
          // What screening held past the end of its lock is worth what it is worth now.
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
