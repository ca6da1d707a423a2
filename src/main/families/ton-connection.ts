import { createHttpNodes } from "../../chains/rpc/http-nodes.ts";
import { createTonAdapter } from "../../chains/ton/adapter.ts";
import { verifyToncenterNode } from "../../chains/ton/network.ts";
import { createToncenterNode } from "../../chains/ton/toncenter-node.ts";
import { createTonWriter } from "../../chains/ton/writer.ts";
import type { Coin } from "../../currencies/coin.ts";
import { isPayable } from "../../currencies/currency.ts";
import { type ChainContext, type ConnectedChain, ed25519KeyOf } from "./connection.ts";
import { nodeOptions } from "./node-options.ts";
import { tonNetworkOf } from "./ton.ts";

/** The nodes of a TON network, over toncenter's API v2. */
export function connectTon(coin: Coin, context: ChainContext): ConnectedChain {
  const { id } = coin.chain;
  const { clock, config } = context;
  const network = tonNetworkOf(coin, config);
  const node = createToncenterNode(
    id,
    createHttpNodes({ ...nodeOptions(context, id), verify: verifyToncenterNode(network) }),
  );
  const currencies = context.currencies.onChain(id);
  return {
    createAdapter: (keys) =>
      createTonAdapter({
        network,
        node,
        hotKey: ed25519KeyOf(keys, id, "hot"),
        currencies,
        clock,
      }),
    createQuoter: () =>
      createTonWriter({
        node,
        network,
        accounts: [],
        currencies: currencies.filter(isPayable),
        hotKey: null,
        clock,
      }),
    close: node.close,
  };
}
