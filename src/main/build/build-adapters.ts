import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import { createEvmAdapter } from "../../chains/evm/adapter.ts";
import { findEvmChain } from "../../chains/evm/evm-chains.ts";
import type { JsonRpc } from "../../chains/rpc/json-rpc.ts";
import { createUtxoAdapter } from "../../chains/utxo/adapter.ts";
import type { AddressTypeName } from "../../chains/utxo/utxo-chain.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { AccountKey } from "../../signer/protocol.ts";
import type { ChainConfig } from "../config/config.ts";
import { findUtxoChain } from "./chain-keyspace.ts";
import { evmNetwork, utxoNetworks } from "./chain-network.ts";
import { createChainRpc } from "./chain-rpc.ts";
import type { Foundation } from "./foundation.ts";

/** A chain to follow: its adapter, its client, and the height at which reading starts. */
export type FollowedChain = {
  readonly adapter: ChainAdapter;
  readonly rpc: JsonRpc;
  readonly startHeight: number | null;
  /** True on a private test chain, where a block appears only when someone mines it. */
  readonly isIdle: boolean;
  /** True when the node must scan all unspent outputs to read the balance of an address. */
  readonly isScanned: boolean;
};

/** Inputs of `buildAdapters`. */
export type AdapterContext = World & Pick<Foundation, "config" | "currencies">;

/** Builds the adapters of all configured chains from the signer's account public keys. */
export function buildAdapters(
  foundation: AdapterContext,
  keys: readonly AccountKey[],
): readonly FollowedChain[] {
  return Object.entries(foundation.config.chains).map(([chain, config]) => {
    const isUtxo = findUtxoChain(chain) !== null;
    const { adapter, rpc } = (isUtxo ? utxoChain : evmChain)(foundation, chain, config, keys);
    return {
      adapter: withReorgLimit(adapter, config.reorg_limit),
      rpc,
      startHeight: config.start_height ?? null,
      isIdle: config.network === "regtest",
      isScanned: isUtxo,
    };
  });
}

/** Applies the configured reorg limit, if there is one. */
function withReorgLimit(adapter: ChainAdapter, reorgLimit: number | undefined): ChainAdapter {
  const { reader } = adapter;
  if (reorgLimit === undefined || reader.finality.kind === "final") return adapter;
  return { ...adapter, reader: { ...reader, finality: { kind: "probable", reorgLimit } } };
}

function evmChain(
  foundation: AdapterContext,
  chain: string,
  config: ChainConfig,
  keys: readonly AccountKey[],
): Pick<FollowedChain, "adapter" | "rpc"> {
  const network = evmNetwork(chain, config);
  const rpc = createChainRpc(foundation, chain, config);
  const adapter = createEvmAdapter({
    record: present(findEvmChain(chain), `record of ${chain}`),
    network,
    rpc,
    accountXpub: keyOf(keys, "evm", ""),
    treasuryXpubs: { hot: keyOf(keys, "evm", "hot"), gas: keyOf(keys, "evm", "gas") },
    currencies: foundation.currencies.onChain(chain),
    tracing: config.tracing ?? "auto",
    clock: foundation.clock,
    logger: foundation.logger,
  });
  return { adapter, rpc };
}

function utxoChain(
  foundation: AdapterContext,
  chain: string,
  config: ChainConfig,
  keys: readonly AccountKey[],
): Pick<FollowedChain, "adapter" | "rpc"> {
  const record = present(findUtxoChain(chain), `record of ${chain}`);
  const network = utxoNetworks[config.network];
  const rpc = createChainRpc(foundation, chain, config);
  const types = Object.keys(record.dustUnits) as readonly AddressTypeName[];
  const adapter = createUtxoAdapter({
    chain: record,
    network,
    rpc,
    accountKeys: Object.fromEntries(types.map((type) => [type, keyOf(keys, chain, type)])),
    clock: foundation.clock,
  });
  return { adapter, rpc };
}

function keyOf(keys: readonly AccountKey[], keyspace: string, addressType: string): string {
  const key = keys.find(
    (candidate) => candidate.keyspace === keyspace && candidate.addressType === addressType,
  );
  return present(key, `the signer has no account key for ${keyspace} ${addressType}`).xpub;
}
