import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import type { BlockSpends, OutgoingPayment, OutgoingTransaction, Transfer } from "../port.ts";
import { outputsToAddresses } from "./block-transfers.ts";
import { addressOfScript } from "./output-script.ts";
import { type BlockParts, identify } from "./parse-block.ts";
import { outpointAt, type RawTransaction } from "./parse-transaction.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** The outputs that a block's transactions spend. Hashes nothing until one of them is queried. */
export function spendsOfBlock(
  chain: UtxoChain,
  network: UtxoNetwork,
  parts: BlockParts,
): BlockSpends {
  const { bytes, transactions } = parts;
  // The first transaction is the coinbase.
  const spending = transactions.slice(1);
  return {
    sources: () => spending.flatMap((transaction) => claimsOf(bytes, transaction)),
    transactionsFrom: (sources) => {
      const using = spending.filter((transaction) =>
        claimsOf(bytes, transaction).some((claim) => sources.has(claim)),
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

/** `transfers` are its outputs to addresses. */
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
  return { txid, sender: null, claims, payments, feeUnits: null };
}
