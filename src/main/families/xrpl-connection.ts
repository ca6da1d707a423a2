import { createHttpNodes } from "../../chains/rpc/http-nodes.ts";
import { createXrplAdapter } from "../../chains/xrpl/adapter.ts";
import { verifyRippledNode } from "../../chains/xrpl/network.ts";
import { createRippledNode } from "../../chains/xrpl/rippled-node.ts";
import { createXrplWriter } from "../../chains/xrpl/writer.ts";
import type { Coin } from "../../currencies/coin.ts";
import { isPayable } from "../../currencies/currency.ts";
import { type ChainContext, type ConnectedChain, xpubOf } from "./connection.ts";
import { nodeOptions } from "./node-options.ts";
import { addressKindOf, xrplNetworkOf } from "./xrpl.ts";

/** The nodes of an XRP Ledger network, over the JSON-RPC of rippled or Clio. */
export function connectXrpl(coin: Coin, context: ChainContext): ConnectedChain {
  const { id } = coin.chain;
  const { clock, config } = context;
  const network = xrplNetworkOf(coin, config);
  const node = createRippledNode(
    id,
    createHttpNodes({ ...nodeOptions(context, id), verify: verifyRippledNode(network) }),
  );
  const currencies = context.currencies.onChain(id);
  return {
    createAdapter: (keys) =>
      createXrplAdapter({
        network,
        kind: addressKindOf(config),
        node,
        hotXpub: xpubOf(keys, id, "hot"),
        currencies,
        clock,
      }),
    createQuoter: () =>
      createXrplWriter({ node, network, currencies: currencies.filter(isPayable) }),
    close: node.close,
  };
}
