import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { Address, OutScript, p2pkh, p2sh, p2tr, p2wpkh } from "@scure/btc-signer";
import { assert } from "../../platform/kernel/assert.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import { accountPath } from "../keys/account-paths.ts";
import { scriptOfCashAddress } from "./cash-address.ts";
import type { OwnKey } from "./read-draft.ts";
import type { AddressType, UtxoNetwork } from "./utxo-network.ts";

/** The key's path from the seed (BIP-32). */
export function keyPath({ coinType, keys }: UtxoNetwork, key: OwnKey): string {
  const { addressType, branch, keyIndex } = key;
  const tree = { coinType, isSharedByNetworks: false };
  return `${accountPath(tree, addressType, keys)}/${branch}/${keyIndex}`;
}

/** What spending an output of ours needs in addition to the key, in @scure/btc-signer's terms. */
export type OwnScript = {
  readonly script: Uint8Array;
  readonly redeemScript?: Uint8Array;
  readonly tapInternalKey?: Uint8Array;
};

/** The output script of a key (33 bytes, compressed) for an address type. */
export function scriptOfKey(publicKey: Uint8Array, addressType: AddressType): OwnScript {
  switch (addressType) {
    case "":
    case "legacy":
      return { script: p2pkh(publicKey).script };
    case "p2sh-segwit": {
      const inner = p2wpkh(publicKey);
      return { script: p2sh(inner).script, redeemScript: inner.script };
    }
    case "bech32":
      return { script: p2wpkh(publicKey).script };
    case "bech32m": {
      const tapInternalKey = publicKey.subarray(1);
      return { script: p2tr(tapInternalKey).script, tapInternalKey };
    }
  }
}

/** The output script of a key of ours; the key itself is wiped at once. */
export function ownScript(keys: KeyRing, network: UtxoNetwork, own: OwnKey): Uint8Array {
  const key = keys.at(keyPath(network, own));
  try {
    assert(key.publicKey !== null, "a key has a public key");
    return scriptOfKey(key.publicKey, own.addressType).script;
  } finally {
    key.wipePrivateData();
  }
}

/** HASH160. */
const hashLength = 20;
const base58check = createBase58check(sha256);

/** The output script of an address; throws `DraftRefused` for addresses of other networks. */
export function scriptOfAddress(network: UtxoNetwork, address: string): Uint8Array {
  try {
    return (
      scriptOfSegwit(network, address) ??
      scriptOfCashAddress(network.cashAddressPrefix, address) ??
      scriptOfBase58(network, address)
    );
  } catch {
    throw new DraftRefused(`${address} is not an address of this network`);
  }
}

/** Null for an address of another form. The library's base58 prefixes have one byte, so they are read below. */
function scriptOfSegwit({ segwitPrefix }: UtxoNetwork, address: string): Uint8Array | null {
  if (segwitPrefix === null || !address.toLowerCase().startsWith(`${segwitPrefix}1`)) return null;
  const network = { bech32: segwitPrefix, pubKeyHash: 0, scriptHash: 0, wif: 0 };
  return OutScript.encode(Address(network).decode(address));
}

function scriptOfBase58(network: UtxoNetwork, address: string): Uint8Array {
  const bytes = Buffer.from(base58check.decode(address));
  const hashAfter = (prefix: string): Uint8Array | null => {
    const at = bytes.length - hashLength;
    return bytes.toString("hex", 0, at) === prefix ? bytes.subarray(at) : null;
  };
  const key = hashAfter(network.publicKeyHashPrefix);
  if (key !== null) return OutScript.encode({ type: "pkh", hash: key });
  const script = hashAfter(network.scriptHashPrefix);
  if (script === null) throw new RangeError("the prefix of another network");
  return OutScript.encode({ type: "sh", hash: script });
}
