import { base58ToBin } from "@bitauth/libauth/build/lib/format/base-convert.js";
import type { AddressTypeName, UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** BIP44, BIP49, BIP84 and BIP86. */
const purposes: Readonly<Record<AddressTypeName, number>> = {
  "": 44,
  legacy: 44,
  "p2sh-segwit": 49,
  bech32: 84,
  bech32m: 86,
};

/** SLIP-132 and the coins' own version bytes for extended public keys. */
const mainVersions = new Set([
  0x0488b21e, // xpub
  0x049d7cb2, // ypub
  0x04b24746, // zpub
  0x019da462, // Ltub
  0x01b26ef6, // Mtub
]);
const testVersions = new Set([
  0x043587cf, // tpub
  0x044a5262, // upub
  0x045f1cf6, // vpub
  0x0436f6e1, // ttub
]);
const accountDepth = 3;

/**
 * The path of an address type's account key: `m/84'/0'/0'`. Test networks share coin type 1 (SLIP-44) and some encode addresses
 * alike, so each coin has its own account there: one address never belongs to two chains.
 */
export function accountPath(
  chain: UtxoChain,
  network: UtxoNetworkName,
  addressType: AddressTypeName,
): string {
  const purpose = purposes[addressType];
  return network === "main"
    ? `m/${purpose}'/${chain.coinType}'/0'`
    : `m/${purpose}'/1'/${chain.coinType}'`;
}

/**
 * The four version bytes of an account's extended public key, after validation. Throws for a private key (this process watches
 * and never signs), for a test key on the main network, and for a key of another depth than an account's, whose addresses no
 * wallet would find.
 */
export function accountKeyVersion(key: string, network: UtxoNetworkName): number {
  const bytes = base58ToBin(key);
  if (typeof bytes === "string" || bytes.length !== 82)
    throw new RangeError("not an extended public key");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(0);
  // A public key starts with 02 or 03, a private one with 00.
  if (bytes[45] === 0) throw new RangeError("an extended private key where a public one belongs");
  if (!mainVersions.has(version) && !testVersions.has(version))
    throw new RangeError("an extended key of an unknown version");
  if (network === "main" && testVersions.has(version))
    throw new RangeError("an extended key of a test network on the main network");
  if (bytes[4] !== accountDepth)
    throw new RangeError(
      `an extended key of depth ${bytes[4] ?? 0}, but an account's key (m/purpose'/coin'/account') has depth 3`,
    );
  return version;
}
