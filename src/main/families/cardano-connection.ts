import { createCardanoAdapter } from "../../chains/cardano/adapter.ts";
import { createCardanoNode } from "../../chains/cardano/cardano-node.ts";
import { verifyCardanoNode } from "../../chains/cardano/network.ts";
import { createCardanoWriter } from "../../chains/cardano/writer.ts";
import type { NodeAddress } from "../../chains/rpc/http-node.ts";
import type { Coin } from "../../currencies/coin.ts";
import { present } from "../../platform/kernel/assert.ts";
import { cardanoNetworkOf } from "./cardano.ts";
import { type ChainContext, type ConnectedChain, xpubOf } from "./connection.ts";
import { nodeOptions } from "./node-options.ts";

/** The port where Kupo listens by default. */
const kupoPort = "1442";

/** The nodes of a Cardano network, each through its Ogmios and its Kupo. */
export function connectCardano(coin: Coin, context: ChainContext): ConnectedChain {
  const { id } = coin.chain;
  const { clock, config } = context;
  const network = cardanoNetworkOf(coin, config);
  const { nodes: ogmios, ...options } = nodeOptions(context, id);
  const kupos = config.index === undefined ? null : nodeOptions(context, id, config.index).nodes;
  const node = createCardanoNode({
    ...options,
    servers: ogmios.map((address, at) => ({
      ogmios: address,
      kupo: kupos === null ? besideOgmios(address) : present(kupos[at], "a Kupo for each node"),
    })),
    verify: verifyCardanoNode(network),
  });
  const { id: currency } = coin.coin;
  return {
    createAdapter: (keys) =>
      createCardanoAdapter({
        network,
        node,
        currency,
        accountKey: xpubOf(keys, id, ""),
        reorgLimit: present(coin.chain.reorgLimit, `reorg limit of ${id}`),
        clock,
      }),
    createQuoter: () => createCardanoWriter({ node, network, currency, clock }),
    close: node.close,
  };
}

/** On the same host, where a deployment usually runs both. Headers of one server are not for the other. */
function besideOgmios({ url }: NodeAddress): NodeAddress {
  const at = new URL(url);
  at.username = "";
  at.password = "";
  at.port = kupoPort;
  at.pathname = "";
  at.search = "";
  return { url: at.href };
}
