import { HDKey } from "@scure/bip32";
import { p2pkh, p2sh, p2tr, p2wpkh } from "@scure/btc-signer";
import type { AddressTypeName, UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { present } from "../../platform/kernel/assert.ts";
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
  const prefixes = {
    bech32: network.segwitPrefix,
    pubKeyHash: Number.parseInt(network.publicKeyHashPrefix, 16),
    scriptHash: Number.parseInt(network.scriptHashPrefixes[0], 16),
    wif: 0,
  };
  return (index) => {
    const key = present(parent.deriveChild(index).publicKey, "a derived public key");
    switch (addressType) {
      case "legacy":
        return present(p2pkh(key, prefixes).address, "an address");
      case "p2sh-segwit":
        return present(p2sh(p2wpkh(key, prefixes), prefixes).address, "an address");
      case "bech32":
        return present(p2wpkh(key, prefixes).address, "an address");
      case "bech32m":
        return present(p2tr(key.subarray(1), undefined, prefixes).address, "an address");
    }
  };
}
