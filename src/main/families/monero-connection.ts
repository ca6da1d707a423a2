import { createMoneroAdapter } from "../../chains/monero/adapter.ts";
import { createMonerodNode } from "../../chains/monero/monerod-node.ts";
import { verifyMonerod } from "../../chains/monero/network.ts";
import { checkViewWallet } from "../../chains/monero/pay/check-view-wallet.ts";
import { createMoneroWriter } from "../../chains/monero/pay/writer.ts";
import { createHttpNodes } from "../../chains/rpc/http-nodes.ts";
import type { Coin } from "../../currencies/coin.ts";
import { present } from "../../platform/kernel/assert.ts";
import { type ChainContext, type ConnectedChain, viewAndSpendKeysOf } from "./connection.ts";
import { moneroNetworkOf } from "./monero.ts";
import { nodeOptions } from "./node-options.ts";

/** A wallet that reads many blocks, or drafts with many coins, takes its time. */
const walletTimeoutMs = 120_000;

/** The nodes of a Monero network over monerod's interface, and the program of the view-only wallet. */
export function connectMonero(coin: Coin, context: ChainContext): ConnectedChain {
  const { id } = coin.chain;
  const { clock, config } = context;
  const network = moneroNetworkOf(coin, config);
  const currency = coin.coin.id;
  const node = createMonerodNode(
    id,
    createHttpNodes({ ...nodeOptions(context, id), verify: verifyMonerod(network) }),
  );
  const wallet = createHttpNodes({
    ...nodeOptions(context, id, [present(config.wallet, `the wallet of ${id}`)]),
    timeoutMs: walletTimeoutMs,
  });
  return {
    createAdapter: (keys, claimCoins) =>
      createMoneroAdapter({
        network,
        node,
        currency,
        ...viewAndSpendKeysOf(keys, id, ""),
        paying: { wallet, claimCoins: (...shown) => claimCoins(id, ...shown) },
        clock,
      }),
    createQuoter: () => createMoneroWriter({ node, currency, clock, drafting: null }),
    checkWallet: (signal) => checkViewWallet(wallet, node, signal),
    close: async () => {
      await Promise.all([node.close(), wallet.close()]);
    },
  };
}
