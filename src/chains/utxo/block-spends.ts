import type { BlockSpends, OutgoingPayment, OutgoingTransaction, Transfer } from "../port.ts";
import { outputsToAddresses } from "./block-transfers.ts";
import { addressOfScript } from "./output-script.ts";
import { type BlockParts, identify } from "./parse-block.ts";
import { outpointAt, type RawTransaction } from "./parse-transaction.ts";
import type { UtxoChain, UtxoNetwork } from "./utxo-chain.ts";

/** Which outputs the transactions of a block spend. Nothing is hashed before one of them is asked about. */
export function spendsOfBlock(
  chain: UtxoChain,
  network: UtxoNetwork,
  parts: BlockParts,
): BlockSpends {
  const { bytes, transactions } = parts;
  // The first one makes coins.
  const spending = transactions.slice(1);
  return {
    claims: () => spending.flatMap((transaction) => claimsOf(bytes, transaction)),
    transactionsSpending: (claims) => {
      const using = spending.filter((transaction) =>
        claimsOf(bytes, transaction).some((claim) => claims.has(claim)),
      );
      if (using.length === 0) return [];
      const { txids } = identify(parts);
      return using.map((transaction) => {
        const txid = txids[transactions.indexOf(transaction)] ?? "";
        const transfers = outputsToAddresses(chain, bytes, transaction, txid, null);
        return outgoing(network, txid, claimsOf(bytes, transaction), transfers);
      });
    },
  };
}

/** The outputs that a transaction spends. */
export function claimsOf(bytes: Buffer, { inputs }: RawTransaction): readonly string[] {
  return inputs.map((inputAt) => outpointAt(bytes, inputAt));
}

/** `transfers` is what it pays to addresses. */
export function outgoing(
  network: UtxoNetwork,
  txid: string,
  claims: readonly string[],
  transfers: readonly Transfer[],
): OutgoingTransaction {
  const payments = transfers.flatMap(({ to, asset }): readonly OutgoingPayment[] => {
    const address = addressOfScript(network, to);
    if (address === null || asset.kind !== "currency") return [];
    return [{ to, address, currency: asset.amount.currency, units: asset.amount.units }];
  });
  return { txid, claims, payments, feeUnits: null };
}
