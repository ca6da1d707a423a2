import { signECDSA } from "@scure/btc-signer/utils.js";
import { scriptOfKey } from "./own-script.ts";
import type { Consensus } from "./read-draft.ts";
import type { UnsignedTransaction } from "./sign-transaction.ts";
import {
  noShieldedPart,
  serialize,
  signAll,
  signatureDigest,
  type TransparentTransaction,
  transactionDigest,
} from "./zip244.ts";

/**
 * Signs a transaction of version 5 (ZIP-225) with every input, which all spend outputs to public key hashes, as `signTransaction`
 * does with Bitcoin's. Since every signature covers the amounts of all inputs, a draft with a false one gives an invalid
 * transaction.
 */
export function signV5(
  { inputs, lockTime, outputs }: Omit<UnsignedTransaction, "version">,
  consensus: Consensus,
): { readonly txid: string; readonly raw: Uint8Array } {
  const transaction: TransparentTransaction = {
    ...consensus,
    lockTime,
    outputs,
    inputs: inputs.map(({ txid, vout, sequence, units, publicKey, addressType }) => ({
      txid,
      vout,
      sequence,
      units,
      script: scriptOfKey(publicKey, addressType).script,
    })),
  };
  const scriptSigs = inputs.map(({ privateKey, publicKey }, index) => {
    const signature = signECDSA(
      signatureDigest(transaction, index, noShieldedPart),
      privateKey,
      true,
    );
    return Buffer.concat([
      Uint8Array.of(signature.length + 1),
      signature,
      Uint8Array.of(signAll, publicKey.length),
      publicKey,
    ]);
  });
  return {
    txid: Buffer.from(transactionDigest(transaction, noShieldedPart)).reverse().toString("hex"),
    raw: serialize(transaction, scriptSigs),
  };
}
