import {
  CashAddressTypeBits,
  encodeCashAddressNonStandard,
} from "@bitauth/libauth/build/lib/address/cash-address.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { Address, p2pkh, p2sh, p2tr, p2wpkh } from "@scure/btc-signer";
import type { BTC_NETWORK } from "@scure/btc-signer/utils.js";
import type { AddressTypeName, UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { present } from "../../platform/kernel/assert.ts";
import { childKeysOf } from "../child-keys.ts";
import { accountKeyVersion } from "./account-key.ts";

/** BIP-44: 0 for deposit addresses, 1 for change. */
export type Branch = 0 | 1;

/** Derives addresses `account/branch/index` by @scure/bip32 and @scure/btc-signer. */
export function createDerivation(
  network: UtxoNetwork,
  accountKey: string,
  addressType: AddressTypeName,
  branch: Branch,
): (index: number) => string {
  const version = accountKeyVersion(accountKey, network.name);
  const parent = HDKey.fromExtendedKey(accountKey, { public: version, private: 0 }).deriveChild(
    branch,
  );
  const childAt = childKeysOf(parent);
  return (index) => {
    const key = childAt(index).toBytes(true);
    switch (addressType) {
      case "":
      case "legacy":
        return network.cashAddressPrefix === undefined
          ? base58Address(network.publicKeyHashPrefix, p2pkh(key).hash)
          : cashAddress(network.cashAddressPrefix, p2pkh(key).hash);
      case "p2sh-segwit":
        return base58Address(network.scriptHashPrefixes[0], p2sh(p2wpkh(key)).hash);
      case "bech32":
        // Without `p2wpkh`, which computes the point once more to check it.
        return Address(segwitOf(network)).encode({ type: "wpkh", hash: ripemd160(sha256(key)) });
      case "bech32m":
        return present(p2tr(key.subarray(1), undefined, segwitOf(network)).address, "an address");
    }
  };
}

const base58check = createBase58check(sha256);

/** The library's own encoding knows prefixes of one byte only. */
function base58Address(prefix: string, hash: Uint8Array): string {
  return base58check.encode(Uint8Array.from([...Buffer.from(prefix, "hex"), ...hash]));
}

/** By libauth, since the other derivation uses our own encoding. */
function cashAddress(prefix: string, payload: Uint8Array): string {
  return encodeCashAddressNonStandard({ payload, prefix, typeBits: CashAddressTypeBits.p2pkh })
    .address;
}

/** The library's description of a network, of which it reads one member here. */
function segwitOf({ name, segwitPrefix }: UtxoNetwork): BTC_NETWORK {
  const bech32 = present(segwitPrefix, `segwit on the network ${name}`);
  return { bech32, pubKeyHash: 0, scriptHash: 0, wif: 0 };
}
