import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Money } from "../../platform/kernel/money.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { operationType, riskStatus, type TransferRecord } from "../transfers/transfer.ts";
import { reserveTransferIds } from "./incoming.store.ts";
import { type DepositContext, reconsider } from "./reconsider.ts";
import { undecided } from "./transfer-changes.ts";

/** A payment to a deposit from a wallet of this service. */
export type InternalReceipt = {
  readonly accountId: string;
  readonly walletId: string;
  readonly depositId: string;
  readonly amount: Money;
  /** The chain of its currency; the payment does not use it. */
  readonly chain: string;
};

/**
 * Pays a deposit off-chain in the transaction that books the payer's side (`transit/C -amount`): the deposit gets transfer,
 * status and callback at once, without a transaction id. The payer is a client of this service, so the payment is not screened.
 * Its disposition is decided as for any other payment. It is priced at the bid from `context.findRate`, as of the moment when the
 * payer was charged; the deposit's rate lock does not apply. Rejects with feeUnavailable without a fresh price.
 */
export async function receiveInternally(
  tx: Executor,
  context: DepositContext,
  receipt: InternalReceipt,
  now: Instant,
): Promise<void> {
  const [reserved] = await reserveTransferIds(tx, 1);
  const id = present(reserved, "a reserved transfer id");
  const [decision] = await reconsider(
    tx,
    context,
    { depositIds: [receipt.depositId], transferIds: [], tips: new Map(), now },
    ({ deposit, transfers }) => ({
      deposit,
      transfers: [...transfers, newReceipt(receipt, id, now)],
    }),
  );
  const received = decision?.transfers.find((transfer) => transfer.id === id);
  if (received?.rate == null)
    reject("feeUnavailable", "No current exchange rate is available. Try again shortly.");
}

function newReceipt(receipt: InternalReceipt, id: string, now: Instant): TransferRecord {
  const { accountId, walletId, depositId, amount, chain } = receipt;
  return {
    accountId,
    id,
    walletId,
    depositId,
    chain,
    currency: amount.currency,
    assetLocator: null,
    units: amount.units,
    withheldUnits: null,
    txid: null,
    outputIndex: null,
    watchKey: null,
    from: [],
    spends: [],
    firstSeenAt: now,
    block: null,
    spendableFromHeight: null,
    ...undecided,
    riskStatus: riskStatus.notAvailable,
    opType: operationType.deposit,
    createdAt: now,
    updatedAt: now,
  };
}
