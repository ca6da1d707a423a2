import { type EvmChain, evmChainOf } from "../../src/chains/evm/evm-chain.ts";
import { type UtxoChain, utxoChainOf } from "../../src/chains/utxo/utxo-chain.ts";
import { findCoin } from "../../src/currencies/coins.ts";
import type { UtxoDaemon, UtxoNetworkName } from "../../src/currencies/utxo-facts.ts";
import { xpubOf } from "../../src/main/families/connection.ts";
import { keyTrees } from "../../src/main/families/families.ts";
import { signedNetworkOf } from "../../src/main/families/utxo.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { AccountKey } from "../../src/signer/protocol.ts";

export const bitcoin = utxoChain("BTC");
export const litecoin = utxoChain("LTC");

/** The chain of coins of the coin with that alpha code. */
export function utxoChain(alpha: string): UtxoChain {
  return utxoChainOf(present(findCoin(alpha), `coin ${alpha}`));
}

/** The daemon that runs the chain in the sandbox. */
export function daemonOf({ chain, sandbox }: UtxoChain): UtxoDaemon {
  if (sandbox.kind !== "daemon") throw new Error(`${chain} has no daemon here`);
  return sandbox;
}

/** The EVM chain of the coin with that alpha code. */
export function evmChain(alpha: string): EvmChain {
  return evmChainOf(present(findCoin(alpha), `coin ${alpha}`));
}

/** What the signer has to know about a network of a chain of coins. */
export function signedUtxoNetwork(alpha: string, network: UtxoNetworkName) {
  return signedNetworkOf(present(findCoin(alpha), `coin ${alpha}`), network);
}

/** The extended public key of an account of the signer. */
export function accountXpub(
  accounts: readonly AccountKey[],
  keyspace: string,
  addressType: string,
): string {
  return xpubOf(accounts, keyspace, addressType);
}

/** The accounts of all chains that the program can follow. */
export const knownKeyTrees = keyTrees();
