import { createJsonRpc } from "../../chains/rpc/json-rpc.ts";
import { createUtxoAdapter } from "../../chains/utxo/adapter.ts";
import { utxoChainOf } from "../../chains/utxo/utxo-chain.ts";
import { verifyUtxoNode } from "../../chains/utxo/verify-network.ts";
import { createUtxoWriter } from "../../chains/utxo/writer.ts";
import type { Coin } from "../../currencies/coin.ts";
import { type ChainContext, type ConnectedChain, xpubOf } from "./connection.ts";
import { nodeOptions } from "./node-options.ts";
import { utxoNetworkNames } from "./utxo.ts";

/** The nodes of Bitcoin or a chain derived from it, over JSON-RPC. */
export function connectUtxo(coin: Coin, context: ChainContext): ConnectedChain {
  const chain = utxoChainOf(coin);
  const { clock, config } = context;
  const network = utxoNetworkNames[config.network];
  const rpc = createJsonRpc({
    ...nodeOptions(context, chain.chain),
    verify: verifyUtxoNode(chain.networks[network]),
  });
  return {
    createAdapter: (keys) =>
      createUtxoAdapter({
        chain,
        network,
        rpc,
        accountKeys: Object.fromEntries(
          chain.addressTypes.map((type) => [type, xpubOf(keys, chain.chain, type)]),
        ),
        clock,
      }),
    createQuoter: () => createUtxoWriter({ chain, network, rpc, clock }),
    close: rpc.close,
  };
}
