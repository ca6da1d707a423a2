import type { Payee } from "./output-script.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/**
 * The smallest output to this payee that nodes relay, in units. An output to a witness script hash is as long as a taproot output
 * and has the same limit.
 */
export function dustOf(chain: UtxoChain, { addressType, hash }: Payee): bigint {
  const isScriptHash = addressType === "bech32" && hash.length === 32;
  return chain.dustUnits[isScriptHash ? "bech32m" : addressType];
}
