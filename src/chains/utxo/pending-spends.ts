import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import type { OutgoingTransaction } from "../port.ts";
import type { BlockSource } from "./block-source.ts";
import { outgoing } from "./block-spends.ts";
import { transfersOf } from "./block-transfers.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** Transactions per request. */
const chunkLength = 1_000;

/** Searches the whole mempool for transactions that spend our claims. */
export function createPendingSpendsReader(
  source: BlockSource,
  chain: UtxoChain,
  network: UtxoNetwork,
): (
  isOurs: (source: string) => boolean,
  signal: AbortSignal,
) => Promise<readonly OutgoingTransaction[]> {
  return async (isOurs, signal) => {
    const { txids } = await source.mempool(signal);
    const found: OutgoingTransaction[] = [];
    for (let from = 0; from < txids.length; from += chunkLength) {
      // Leaves out transactions that have left the mempool in between.
      const chunk = await source.transactions(txids.slice(from, from + chunkLength), signal);
      for (const [txid, transaction] of chunk) {
        const { claims } = transaction;
        if (claims.some(isOurs))
          found.push(outgoing(network, txid, claims, transfersOf(chain, transaction)));
      }
    }
    return found;
  };
}
