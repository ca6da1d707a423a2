import { toChecksumAddress } from "../../currencies/eip55.ts";
import type { BlockSpends, OutgoingPayment, Transfer } from "../port.ts";
import { type ExecutedTransaction, isSigned } from "./receipts.ts";
import { nonceClaim } from "./senders.ts";
import { feePaid } from "./transaction-receipt.ts";

/** The accounts that the block's transactions spend from; `transfers` is what they delivered. */
export function spendsOfBlock(
  ran: readonly ExecutedTransaction[],
  transfers: readonly Transfer[],
): BlockSpends {
  const signed = ran.filter(({ transaction }) => isSigned(transaction));
  const claimOf = ({ transaction: { from, nonce } }: ExecutedTransaction): string =>
    nonceClaim(from, nonce);
  return {
    sources: () => signed.map(({ transaction: { from } }) => from),
    transactionsFrom: (sources) =>
      signed
        .filter(({ transaction: { from } }) => sources.has(from))
        .map((included) => ({
          txid: included.transaction.txid,
          sender: included.transaction.from,
          claims: [claimOf(included)],
          payments: transfers
            .filter(({ key }) => key.txid === included.transaction.txid)
            .map(paymentOf),
          feeUnits: feePaid(included.receipt),
        })),
  };
}

function paymentOf({ to, asset }: Transfer): OutgoingPayment {
  const address = toChecksumAddress(to);
  return asset.kind === "currency"
    ? { to, address, currency: asset.amount.currency, units: asset.amount.units }
    : { to, address, currency: null, units: asset.units };
}
