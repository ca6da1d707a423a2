import { secp256k1 } from "@noble/curves/secp256k1.js";
import { address, type Network, Psbt, payments, Transaction } from "bitcoinjs-lib";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";

/** One output: whom it pays, and how many units. */
export type PaidOutput = { readonly address: string; readonly units: bigint };

/** A payer with a key of its own, whose transactions another project's library builds, encodes and hashes. */
export type OutsidePayer = {
  readonly address: string;
  /**
   * Spends what this transaction (in hex) pays to the payer's address, and returns the rest less the fee to that address.
   * Resolves with the signed transaction in hex.
   */
  readonly spend: (
    funding: string,
    outputs: readonly PaidOutput[],
    feeUnits: bigint,
  ) => Promise<string>;
  /** The id of a transaction in hex. */
  readonly idOf: (raw: string) => string;
};

type Prefixes = {
  readonly publicKeyHash: number;
  readonly scriptHash: number;
  /** Null: the chain has no segwit, and the payer uses the hash of its key. */
  readonly segwit: string | null;
};

/** Pays with bitcoinjs-lib, which knows the chain by its prefixes only. */
export function bitcoinjsPayer({ publicKeyHash, scriptHash, segwit }: Prefixes): OutsidePayer {
  const network: Network = {
    messagePrefix: "",
    bech32: segwit ?? "",
    bip32: { public: 0, private: 0 },
    pubKeyHash: publicKeyHash,
    scriptHash,
    wif: 0,
  };
  const secret = systemRandom.bytes(32);
  const signer = {
    publicKey: secp256k1.getPublicKey(secret),
    sign: (digest: Uint8Array) => secp256k1.sign(digest, secret, { prehash: false }),
  };
  const pay = segwit === null ? payments.p2pkh : payments.p2wpkh;
  const own = present(pay({ pubkey: signer.publicKey, network }).address, "an address");
  const ownScript = Buffer.from(address.toOutputScript(own, network));
  return {
    address: own,
    idOf: (raw) => Transaction.fromHex(raw).getId(),
    spend: (funding, outputs, feeUnits) => {
      const previous = Transaction.fromHex(funding);
      const index = previous.outs.findIndex(({ script }) => ownScript.equals(script));
      const taken = present(previous.outs[index], "an output to the payer").value;
      const rest = outputs.reduce((left, { units }) => left - units, taken - feeUnits);
      const draft = new Psbt({ network });
      draft.addInput({
        hash: previous.getHash(),
        index,
        nonWitnessUtxo: Buffer.from(funding, "hex"),
      });
      for (const output of outputs)
        draft.addOutput({ address: output.address, value: output.units });
      if (rest > 0n) draft.addOutput({ address: own, value: rest });
      draft.signAllInputs(signer).finalizeAllInputs();
      return Promise.resolve(draft.extractTransaction(true).toHex());
    },
  };
}
