import { Transaction } from "@scure/btc-signer";
import { scriptOfKey } from "./own-script.ts";
import type { AddressType } from "./utxo-network.ts";

export type SigningInput = {
  readonly txid: string;
  readonly vout: number;
  readonly units: bigint;
  readonly sequence: number;
  readonly addressType: AddressType;
  /** 33 bytes, compressed. */
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
};

export type UnsignedTransaction = {
  readonly version: number;
  readonly lockTime: number;
  readonly inputs: readonly SigningInput[];
  readonly outputs: readonly { readonly script: Uint8Array; readonly units: bigint }[];
};

/** Allowed by BIP-340; the same draft must give the same bytes. */
const noAuxiliaryRandomness = new Uint8Array(32);

/**
 * Signs the whole transaction with every input (SIGHASH_ALL; the equivalent SIGHASH_DEFAULT for taproot). ECDSA by RFC 6979,
 * with a low R: all deterministic. The caller has checked the amounts.
 */
export function signTransaction(unsigned: UnsignedTransaction): {
  readonly txid: string;
  readonly raw: Uint8Array;
} {
  const { inputs, lockTime, outputs, version } = unsigned;
  const transaction = new Transaction({
    version,
    lockTime,
    lowR: true,
    // Here the library would require full previous transactions again: see `checkAmounts`.
    allowLegacyWitnessUtxo: true,
  });
  for (const input of inputs) {
    const { txid, vout: index, units: amount, sequence, addressType, publicKey } = input;
    const { script, ...more } = scriptOfKey(publicKey, addressType);
    transaction.addInput({ txid, index, sequence, witnessUtxo: { amount, script }, ...more });
  }
  for (const { script, units } of outputs) transaction.addOutput({ script, amount: units });
  inputs.forEach(({ privateKey }, index) => {
    transaction.signIdx(privateKey, index, undefined, noAuxiliaryRandomness);
  });
  transaction.finalize();
  return { txid: transaction.id, raw: transaction.extract() };
}
