import type { Payee } from "./output-script.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/**
 * The least that an output to this payee may hold to be relayed, in units. An output to a witness script hash is as long as
 * a taproot output, so the same counts for it.
 */
export function dustOf(chain: UtxoChain, { addressType, hash }: Payee): bigint {
  const isScriptHash = addressType === "bech32" && hash.length === 32;
  return chain.dustUnits[isScriptHash ? "bech32m" : addressType];
}
