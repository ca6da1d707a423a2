import type { TransactionReceipt } from "../port.ts";
import type { SettledActivity } from "./block-activity.ts";

/** What became of a transaction of our account. */
export function receiptOf({
  hasSucceeded,
  outgoing,
  payments,
  transaction,
  txid,
}: SettledActivity): TransactionReceipt {
  return {
    txid,
    hasSucceeded,
    feeUnits: outgoing?.feeUnits ?? transaction.fees,
    ...(payments === undefined ? {} : { payments }),
  };
}
