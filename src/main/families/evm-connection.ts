import { createEvmAdapter } from "../../chains/evm/adapter.ts";
import { evmKeyspace } from "../../chains/evm/evm-keyspace.ts";
import { createEvmNode } from "../../chains/evm/evm-node.ts";
import { verifyEvmNode } from "../../chains/evm/verify-network.ts";
import { createEvmWriter } from "../../chains/evm/writer.ts";
import { createJsonRpc } from "../../chains/rpc/json-rpc.ts";
import type { Coin } from "../../currencies/coin.ts";
import { isPayable } from "../../currencies/currency.ts";
import { type ChainContext, type ConnectedChain, xpubOf } from "./connection.ts";
import { configuredChainOf, evmNetworkOf } from "./evm.ts";
import { nodeOptions } from "./node-options.ts";

/** The nodes of Ethereum or a chain that runs its virtual machine, over JSON-RPC. */
export function connectEvm(coin: Coin, context: ChainContext): ConnectedChain {
  const { clock, config, logger } = context;
  const record = configuredChainOf(coin, config);
  const { chain } = record;
  const network = evmNetworkOf(coin, config);
  const rpc = createJsonRpc({ ...nodeOptions(context, chain), verify: verifyEvmNode(network) });
  const currencies = context.currencies.onChain(chain);
  return {
    createAdapter: (keys) =>
      createEvmAdapter({
        record,
        network,
        rpc,
        accountXpub: xpubOf(keys, evmKeyspace, ""),
        treasuryXpubs: {
          hot: xpubOf(keys, evmKeyspace, "hot"),
          gas: xpubOf(keys, evmKeyspace, "gas"),
        },
        currencies,
        tracing: config.tracing ?? "auto",
        clock,
        logger,
      }),
    createQuoter: () =>
      createEvmWriter({
        record,
        network,
        node: createEvmNode(chain, rpc),
        currencies: currencies.filter(isPayable),
        hot: null,
        gasAccount: null,
      }),
    close: rpc.close,
  };
}
