import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { actOnAccount } from "../../accounts/operator-act.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { money } from "../../platform/kernel/money.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Deposit } from "../deposit.ts";
import { lockDepositRows, reserveTransferIds } from "../payments/incoming.store.ts";
import { type DepositContext, reconsider } from "../payments/reconsider.ts";
import type { Report } from "../payments/report.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { isPaidAt } from "./assignable-deposit.store.ts";
import { changeReceipts } from "./change-receipts.ts";
import { lockReceipt } from "./receipt.store.ts";
import type { Receipt } from "./receipt.ts";
import { assignTo, obstacleToDecision } from "./receipt-changes.ts";
import { paymentOf } from "./receipt-sink.ts";

/**
 * Assigns a receipt to a deposit of any account, in one transaction: the deposit gets the payment as if it had named its tag, with
 * status, screening, commission and callbacks. The caller has checked that the principal is an operator. Rejects with
 * invalidValue. False: there is no such receipt.
 */
export function assignReceipt(
  context: DepositContext & { readonly db: Database; readonly clock: Clock },
  principal: Principal,
  order: { readonly id: string; readonly depositId: string; readonly reason: string },
): Promise<boolean> {
  const { id, depositId, reason } = order;
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    // Deposits are locked before receipts, and both before balances.
    const [deposit] = await lockDepositRows(tx, isObjectId(depositId) ? [depositId] : []);
    const receipt = await lockReceipt(tx, id);
    if (receipt === null) return false;
    const obstacle = obstacleToDecision(receipt);
    if (obstacle !== null) reject("invalidValue", obstacle);
    if (deposit === undefined) reject("invalidValue", "There is no such deposit.", source);
    await assertSuitable(tx, receipt, deposit);
    const assigned = assignTo(receipt, deposit, reason, now);
    await changeReceipts(tx, [receipt], () => assigned, now);
    const [reserved] = await reserveTransferIds(tx, 1);
    const transferId = present(reserved, "a transfer id");
    await reconsider(
      tx,
      context,
      {
        depositIds: [depositId],
        transferIds: [],
        reports: [reportOf(assigned, transferId, now)],
        tips: new Map(),
        now,
      },
      ({ deposit: changed, transfers }) => ({
        deposit: changed,
        transfers: transfers.map((transfer) => valuedAtDecision(transfer, transferId, now)),
      }),
    );
    const act = await actOnAccount(tx, principal, deposit.accountId, reason);
    await recordAudit(
      tx,
      ...act.audits("unattributed.assigned", { type: "unattributed", id }, now),
    );
    return true;
  });
}

const source = { pointer: "/data/relationships/deposit" };

/** The payer could have paid the deposit exactly so, except for the tag. */
async function assertSuitable(tx: Executor, receipt: Receipt, deposit: Deposit): Promise<void> {
  if (deposit.currency !== receipt.currency)
    reject("invalidValue", "The deposit is paid in another currency.", source);
  if (deposit.address !== receipt.address && !(await isPaidAt(tx, receipt.address, deposit.id)))
    reject("invalidValue", "The deposit is not paid at this account.", source);
}

/** What the follower would have reported. */
function reportOf(receipt: Receipt, transferId: string, now: Instant): Report {
  const { chain, txid, outputIndex, watchKey, currency, units, spendableFromHeight } = receipt;
  const { accountId } = present(receipt.owner, "the owner of an assigned receipt");
  const depositId = present(receipt.depositId, "the deposit of an assigned receipt");
  const { height, hash } = present(receipt.block, "the block of an assigned receipt");
  const transfer = {
    key: { txid, index: outputIndex },
    to: watchKey,
    asset: { kind: "currency", amount: money(units, currency) },
    spendableFromHeight,
  } as const;
  const senders = { addresses: receipt.from, claims: receipt.spends };
  return {
    kind: "arrived",
    accountId,
    depositId,
    transferId,
    chain,
    at: now,
    hit: paymentOf(receipt, { transfer, senders }),
    block: { height, hash, time: receipt.receivedAt },
  };
}

/**
 * It counts as paid when it arrived, and is valued as of the decision, at the rate lock if that still holds: otherwise a payer
 * could wait for a better price and then ask for the assignment.
 */
function valuedAtDecision(
  transfer: TransferRecord,
  transferId: string,
  now: Instant,
): TransferRecord {
  return transfer.id === transferId ? { ...transfer, revaluedAt: now } : transfer;
}
