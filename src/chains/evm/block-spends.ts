import { toChecksumAddress } from "../../currencies/eip55.ts";
import type { BlockSpends, OutgoingPayment, Transfer } from "../port.ts";
import { isSigned, type Ran } from "./receipts.ts";
import { spendOf } from "./senders.ts";
import { burntBy } from "./transaction-receipt.ts";

/** Which nonces the transactions of a block use; `transfers` is what they delivered. */
export function usageOf(ran: readonly Ran[], transfers: readonly Transfer[]): BlockSpends {
  const signed = ran.filter(({ transaction }) => isSigned(transaction));
  const claimOf = ({ transaction: { from, nonce } }: Ran): string => spendOf(from, nonce);
  return {
    claims: () => signed.map(claimOf),
    transactionsSpending: (claims) =>
      signed
        .filter((one) => claims.has(claimOf(one)))
        .map((one) => ({
          txid: one.transaction.txid,
          claims: [claimOf(one)],
          payments: transfers.filter(({ key }) => key.txid === one.transaction.txid).map(paymentOf),
          feeUnits: burntBy(one.receipt),
        })),
  };
}

function paymentOf({ to, asset }: Transfer): OutgoingPayment {
  const address = toChecksumAddress(to);
  return asset.kind === "currency"
    ? { to, address, currency: asset.amount.currency, units: asset.amount.units }
    : { to, address, currency: null, units: asset.units };
}
