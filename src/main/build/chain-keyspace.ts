import { evmKeyspace } from "../../chains/evm/evm-keyspace.ts";
import { bitcoin } from "../../chains/utxo/bitcoin.ts";
import { litecoin } from "../../chains/utxo/litecoin.ts";
import type { UtxoChain } from "../../chains/utxo/utxo-chain.ts";
import { findChain } from "../../currencies/chains.ts";
import type { ChainId } from "../../currencies/currency.ts";
import type { Keyspace } from "../../currencies/keyspace.ts";
import { assert } from "../../platform/kernel/assert.ts";

const utxoChains: readonly UtxoChain[] = [bitcoin, litecoin];

/** The record of a UTXO chain; null for any other chain. */
export function findUtxoChain(chain: ChainId): UtxoChain | null {
  return utxoChains.find((candidate) => candidate.chain === chain) ?? null;
}

/** The keyspace of a chain and its address types. */
export function chainKeyspace(chain: ChainId): Keyspace {
  const utxo = findUtxoChain(chain);
  if (utxo !== null) {
    return {
      name: utxo.chain,
      chain,
      addressTypes: Object.keys(utxo.dustUnits),
      defaultAddressType: utxo.defaultAddressType,
    };
  }
  assert(findChain(chain)?.family === "evm", `chain ${chain} is not built`);
  return { name: evmKeyspace, chain, addressTypes: [], defaultAddressType: "" };
}

/** Whether the chain has coins (UTXOs) rather than accounts. */
export function isUtxoChain(chain: ChainId): boolean {
  return findUtxoChain(chain) !== null;
}
