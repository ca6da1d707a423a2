import { createEvmAdapter } from "../../chains/evm/adapter.ts";
import { type EvmChain, type EvmNetwork, evmChainOf } from "../../chains/evm/evm-chain.ts";
import { evmKeyspace } from "../../chains/evm/evm-keyspace.ts";
import { createEvmNode } from "../../chains/evm/evm-node.ts";
import { createEvmPayeeAddressing } from "../../chains/evm/payee-addressing.ts";
import { verifyEvmNode } from "../../chains/evm/verify-network.ts";
import { createEvmWriter } from "../../chains/evm/writer.ts";
import { createJsonRpc } from "../../chains/rpc/json-rpc.ts";
import type { Coin } from "../../currencies/coin.ts";
import { isPayable } from "../../currencies/currency.ts";
import type { ChainConfig } from "../config/config.ts";
import {
  type ChainConfigFault,
  type ChainContext,
  type ConnectedChain,
  type Family,
  xpubOf,
} from "./family.ts";
import { nodeOptions } from "./node-options.ts";

/** Ethereum and the chains that run its virtual machine. */
export function evmFamily(coin: Coin): Family {
  const record = evmChainOf(coin);
  const { chain: id, chainIds } = record;
  const networkOf = ({ chain_id, genesis_hash, network }: ChainConfig): EvmNetwork => ({
    chainId: chain_id ?? (network === "mainnet" ? chainIds.mainnet : chainIds.testnet),
    genesisHash: genesis_hash ?? null,
  });
  return {
    funding: "account",
    draftSecondsMax: null,
    scansForBalances: false,
    keyspace: { name: evmKeyspace, chain: id, addressTypes: [], defaultAddressType: "" },
    configFaults,
    createPayeeAddressing: (_config, currencies) =>
      createEvmPayeeAddressing(currencies.onChain(id)),
    connect: (context) => connect(record, networkOf(context.config), context),
    signedChain: (config, assets) => {
      const { chainId } = networkOf(config);
      return { family: "evm", chain: id, chainId, assets };
    },
    keyTree: {
      keyspace: evmKeyspace,
      coinType: coin.chain.coinType,
      isSharedByNetworks: true,
      addressTypes: ["", "hot", "gas"],
    },
    eip155Id: (config) => networkOf(config).chainId,
  };
}

function configFaults({ chain_id, network }: ChainConfig): readonly ChainConfigFault[] {
  return network === "regtest" && chain_id === undefined
    ? [{ member: null, message: "chain_id is needed for a private network" }]
    : [];
}

function connect(record: EvmChain, network: EvmNetwork, context: ChainContext): ConnectedChain {
  const { chain } = record;
  const { clock, config, logger } = context;
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
      }),
    close: rpc.close,
  };
}
