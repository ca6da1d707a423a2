import type { JsonRpc } from "../rpc/json-rpc.ts";
import { readFields } from "./answer.ts";
import { indexedHeight } from "./transaction-index.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** What this chain hides from everyone and what this node cannot show, for operators. */
export async function readLimitations(
  rpc: JsonRpc,
  chain: UtxoChain,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const spots = [...chain.limitations];
  if ((await indexedHeight(rpc, signal)) === null)
    spots.push(
      "payments that were replaced by another one, and senders behind some payments: the node has no complete transaction index (-txindex)",
    );
  const { pruned } = readFields(await rpc.call("getblockchaininfo", [], signal)) as {
    pruned?: unknown;
  };
  if (pruned === true)
    spots.push(
      "blocks older than the node keeps: it is pruned, so a long outage cannot be caught up",
    );
  const { localrelay } = readFields(await rpc.call("getnetworkinfo", [], signal)) as {
    localrelay?: unknown;
  };
  if (localrelay === false)
    spots.push("payments before their first block: the node relays blocks only (-blocksonly)");
  return spots;
}
