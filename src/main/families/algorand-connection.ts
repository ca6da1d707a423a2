import { createAlgorandAdapter } from "../../chains/algorand/adapter.ts";
import { createAlgodNode } from "../../chains/algorand/algod-node.ts";
import { verifyAlgodNode } from "../../chains/algorand/network.ts";
import { createAlgorandWriter } from "../../chains/algorand/writer.ts";
import { createHttpNodes } from "../../chains/rpc/http-nodes.ts";
import type { Coin } from "../../currencies/coin.ts";
import { isPayable } from "../../currencies/currency.ts";
import { algorandNetworkOf } from "./algorand.ts";
import { type ChainContext, type ConnectedChain, ed25519KeyOf } from "./connection.ts";
import { nodeOptions } from "./node-options.ts";

/** The nodes of an Algorand network, over algod's REST interface. */
export function connectAlgorand(coin: Coin, context: ChainContext): ConnectedChain {
  const { id } = coin.chain;
  const { clock, config } = context;
  const network = algorandNetworkOf(coin, config);
  const node = createAlgodNode(
    id,
    createHttpNodes({ ...nodeOptions(context, id), verify: verifyAlgodNode(network) }),
  );
  const currencies = context.currencies.onChain(id);
  return {
    createAdapter: (keys) =>
      createAlgorandAdapter({
        network,
        node,
        treasuryKeys: { hot: ed25519KeyOf(keys, id, "hot"), gas: ed25519KeyOf(keys, id, "gas") },
        currencies,
        clock,
      }),
    createQuoter: () => createAlgorandWriter({ node, currencies: currencies.filter(isPayable) }),
    close: node.close,
  };
}
