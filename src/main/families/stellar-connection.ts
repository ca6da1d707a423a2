import { createHttpNodes } from "../../chains/rpc/http-nodes.ts";
import { createStellarAdapter } from "../../chains/stellar/adapter.ts";
import {
  type Channels,
  channelsOf,
  countChannels,
  noChannels,
} from "../../chains/stellar/channels.ts";
import { readClaimable } from "../../chains/stellar/claimable-balances.ts";
import {
  createStellarHistory,
  readHistoryRange,
  verifyHorizon,
} from "../../chains/stellar/history.ts";
import { verifyStellarNode } from "../../chains/stellar/network.ts";
import { createStellarNode } from "../../chains/stellar/stellar-node.ts";
import { networkIdOf } from "../../chains/stellar/transaction.ts";
import { createStellarWriter } from "../../chains/stellar/writer.ts";
import type { Coin } from "../../currencies/coin.ts";
import { isPayable } from "../../currencies/currency.ts";
import type { AccountKey } from "../../signer/protocol.ts";
import { type ChainContext, type ConnectedChain, ed25519KeyOf, xpubOf } from "./connection.ts";
import { nodeOptions } from "./node-options.ts";
import { stellarNetworkOf } from "./stellar.ts";

/** Their key is asked for without any configured as well: transactions of earlier ones may be open. A signer of an earlier version has no such key. */
function channelsOfSigner(keys: readonly AccountKey[], chain: string, count: number): Channels {
  const hasKey = keys.some(
    ({ keyspace, addressType }) => keyspace === chain && addressType === "channels",
  );
  return count === 0 && !hasKey ? noChannels : channelsOf(xpubOf(keys, chain, "channels"), count);
}

/** The nodes of a Stellar network, over stellar-rpc, and Horizon servers with older ledgers. */
export function connectStellar(coin: Coin, context: ChainContext): ConnectedChain {
  const { id } = coin.chain;
  const { clock, config } = context;
  const network = stellarNetworkOf(coin, config);
  const node = createStellarNode(
    id,
    createHttpNodes({ ...nodeOptions(context, id), verify: verifyStellarNode(network) }),
  );
  const servers =
    config.history === undefined
      ? null
      : createHttpNodes({
          ...nodeOptions(context, id, config.history),
          verify: verifyHorizon(network),
        });
  const networkId = networkIdOf(network.passphrase);
  const history = servers === null ? null : createStellarHistory(servers, networkId);
  const currencies = context.currencies.onChain(id);
  return {
    createAdapter: (keys) =>
      createStellarAdapter({
        network,
        node,
        hotKey: ed25519KeyOf(keys, id, "hot"),
        channels: channelsOfSigner(keys, id, config.channels ?? 0),
        currencies,
        clock,
        history,
      }),
    createQuoter: () =>
      createStellarWriter({
        node,
        network,
        currencies: currencies.filter(isPayable),
        channels: noChannels,
        clock,
      }),
    ...((config.channels ?? 0) === 0
      ? {}
      : {
          countLenders: (address, signal) =>
            node.consult((ask) => countChannels(ask, address), signal),
        }),
    ...(servers === null
      ? {}
      : {
          checkHistory: async (signal) => {
            const { oldest, newest } = await readHistoryRange(servers, networkId, signal);
            return `ledgers ${oldest} to ${newest}`;
          },
          readClaimable: (address, signal) => readClaimable(servers, address, signal),
        }),
    close: async () => {
      await Promise.all([node.close(), servers?.close()]);
    },
  };
}
