import { createHttpNodes } from "../../chains/rpc/http-nodes.ts";
import { createTronAdapter } from "../../chains/tron/adapter.ts";
import { type TronNetwork, verifyTronNode } from "../../chains/tron/network.ts";
import { createTronNode } from "../../chains/tron/tron-node.ts";
import { createTronWriter } from "../../chains/tron/writer.ts";
import type { Coin } from "../../currencies/coin.ts";
import { isPayable } from "../../currencies/currency.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { ChainConfig } from "../config/config.ts";
import { type ChainContext, type ConnectedChain, xpubOf } from "./connection.ts";
import { nodeOptions } from "./node-options.ts";

/** The nodes of a TRON network, over java-tron's HTTP interface. */
export function connectTron(coin: Coin, context: ChainContext): ConnectedChain {
  const { id } = coin.chain;
  const { clock, config } = context;
  const network = networkOf(coin, config);
  const node = createTronNode(
    id,
    createHttpNodes({ ...nodeOptions(context, id), verify: verifyTronNode(network) }),
  );
  const currencies = context.currencies.onChain(id);
  return {
    createAdapter: (keys) =>
      createTronAdapter({
        network,
        node,
        accountXpub: xpubOf(keys, id, ""),
        treasuryXpubs: { hot: xpubOf(keys, id, "hot"), gas: xpubOf(keys, id, "gas") },
        currencies,
        clock,
      }),
    createQuoter: () => createTronWriter({ node, currencies: currencies.filter(isPayable), clock }),
    close: node.close,
  };
}

/** A private network is any, or the one whose block 0 is configured. */
function networkOf({ chain }: Coin, { genesis_hash, network }: ChainConfig): TronNetwork {
  assert(
    chain.family === "tron" && chain.facts !== null,
    `${chain.id} is a chain of TRON's family`,
  );
  const { mainnet, testnet } = chain.facts.genesisIds;
  const known = { mainnet, testnet, regtest: null };
  return { genesisId: genesis_hash ?? known[network] };
}
