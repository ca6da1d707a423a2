import { createJsonRpc } from "../../chains/rpc/json-rpc.ts";
import { createUtxoAdapter } from "../../chains/utxo/adapter.ts";
import { bitcoin } from "../../chains/utxo/bitcoin.ts";
import { litecoin } from "../../chains/utxo/litecoin.ts";
import { createUtxoPayeeAddressing } from "../../chains/utxo/payee-addressing.ts";
import type { AddressTypeName, UtxoChain, UtxoNetworkName } from "../../chains/utxo/utxo-chain.ts";
import { verifyUtxoNode } from "../../chains/utxo/verify-network.ts";
import { createUtxoWriter } from "../../chains/utxo/writer.ts";
import type { ChainRecord } from "../../currencies/chains.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { isUtxoChainName } from "../../signer/utxo/utxo-network.ts";
import type { ChainConfig } from "../config/config.ts";
import { type ChainContext, type ConnectedChain, type Family, xpubOf } from "./family.ts";
import { nodeOptions } from "./node-options.ts";

const utxoChains: readonly UtxoChain[] = [bitcoin, litecoin];

/** The configuration's network names, as the chains' nodes and our adapters name them. */
const networkNames: Readonly<Record<ChainConfig["network"], UtxoNetworkName>> = {
  mainnet: "main",
  testnet: "test",
  regtest: "regtest",
};

/** Bitcoin and the chains derived from it. */
export function utxoFamily({ id }: ChainRecord): Family {
  const chain = present(
    utxoChains.find((candidate) => candidate.chain === id),
    `record of ${id}`,
  );
  return {
    funding: "coins",
    scansForBalances: true,
    keyspace: {
      name: id,
      chain: id,
      addressTypes: Object.keys(chain.dustUnits),
      defaultAddressType: chain.defaultAddressType,
    },
    configFaults: ({ chain_id }) =>
      chain_id === undefined
        ? []
        : [{ member: "chain_id", message: "only EVM chains have a chain id" }],
    createPayeeAddressing: ({ network }) => createUtxoPayeeAddressing(chain, networkNames[network]),
    connect: (context) => connect(chain, context),
    signedChain: ({ network }, assets) => {
      assert(isUtxoChainName(id), `the signer knows ${id}`);
      return { family: "utxo", chain: id, network: networkNames[network], assets };
    },
    eip155Id: () => null,
  };
}

function connect(chain: UtxoChain, context: ChainContext): ConnectedChain {
  const { clock, config } = context;
  const network = networkNames[config.network];
  const rpc = createJsonRpc({
    ...nodeOptions(context, chain.chain),
    verify: verifyUtxoNode(chain.networks[network]),
  });
  const types = Object.keys(chain.dustUnits) as readonly AddressTypeName[];
  return {
    createAdapter: (keys) =>
      createUtxoAdapter({
        chain,
        network,
        rpc,
        accountKeys: Object.fromEntries(
          types.map((type) => [type, xpubOf(keys, chain.chain, type)]),
        ),
        clock,
      }),
    createQuoter: () => createUtxoWriter({ chain, network, rpc, clock }),
    close: rpc.close,
  };
}
