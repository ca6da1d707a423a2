import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import type { OutgoingTransaction } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { readText, resultOrNull } from "./answer.ts";
import { claimsOf, outgoing } from "./block-spends.ts";
import { transfersOfTransaction } from "./block-transfers.ts";
import { readTransactionHead } from "./parse-transaction.ts";
import { readMempool } from "./pending-transfers.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** Transactions per request. */
const chunkLength = 1_000;

/** Searches the whole mempool for transactions that spend our claims. */
export function createPendingSpendsReader(
  rpc: JsonRpc,
  chain: UtxoChain,
  network: UtxoNetwork,
): (
  isOurs: (source: string) => boolean,
  signal: AbortSignal,
) => Promise<readonly OutgoingTransaction[]> {
  return async (isOurs, signal) => {
    const { txids } = await readMempool(rpc, signal);
    const found: OutgoingTransaction[] = [];
    for (let from = 0; from < txids.length; from += chunkLength) {
      const chunk = txids.slice(from, from + chunkLength);
      const calls = chunk.map((txid) => ({ method: "getrawtransaction", params: [txid, false] }));
      for (const [place, answer] of (await rpc.batch(calls, signal)).entries()) {
        const hex = resultOrNull(answer);
        const txid = chunk[place];
        // It has left the mempool in between.
        if (hex === null || txid === undefined) continue;
        const bytes = Buffer.from(readText(hex), "hex");
        const claims = claimsOf(bytes, readTransactionHead({ bytes, at: 0 }));
        if (claims.some(isOurs))
          found.push(outgoing(network, txid, claims, transfersOfTransaction(chain, bytes, txid)));
      }
    }
    return found;
  };
}
