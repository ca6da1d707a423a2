import {
  decodeBase58AddressFormat,
  encodeBase58AddressFormat,
} from "@bitauth/libauth/build/lib/address/base58-address.js";
import type { AddressTypeName, UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { present } from "../../platform/kernel/assert.ts";
import { decodeSegwitAddress, encodeSegwitAddress } from "./segwit-address.ts";

/** What an address and its output script pay. */
export type Payee = {
  readonly addressType: AddressTypeName;
  /** Public key hash, script hash or witness program. */
  readonly hash: Uint8Array;
};

/**
 * Parses an address of this network, including its checksum; null for any other text, for MimbleWimble addresses and for witness
 * versions that no consensus rule protects yet (any miner could take what is sent there).
 */
export function payeeOfAddress(network: UtxoNetwork, address: string): Payee | null {
  const witness = decodeSegwitAddress(network.segwitPrefix, address);
  if (witness === null) return payeeOfBase58(network, address);
  const { version, program: hash } = witness;
  if (version === 0) return { addressType: "bech32", hash };
  return version === 1 && hash.length === 32 ? { addressType: "bech32m", hash } : null;
}

/** The canonical spelling of the address. */
export function addressOfPayee(network: UtxoNetwork, payee: Payee): string {
  const { addressType, hash } = payee;
  switch (addressType) {
    case "legacy":
      return base58Address(network.publicKeyHashPrefix, hash);
    case "p2sh-segwit":
      return base58Address(network.scriptHashPrefixes[0], hash);
    case "bech32":
      return encodeSegwitAddress(network.segwitPrefix, { version: 0, program: hash });
    case "bech32m":
      return encodeSegwitAddress(network.segwitPrefix, { version: 1, program: hash });
  }
}

/** The output script in hex. */
export function scriptOfPayee(payee: Payee): string {
  const hash = Buffer.from(payee.hash).toString("hex");
  const push = payee.hash.length.toString(16).padStart(2, "0");
  switch (payee.addressType) {
    case "legacy":
      return `76a9${push}${hash}88ac`;
    case "p2sh-segwit":
      return `a9${push}${hash}87`;
    case "bech32":
      return `00${push}${hash}`;
    case "bech32m":
      return `51${push}${hash}`;
  }
}

/**
 * Whether an output script has an address: OP_RETURN, bare keys and multisig, MimbleWimble peg-ins and unknown witness versions
 * have none. Works on the bytes in place, since it runs for every output of a block.
 */
export function hasAddress(bytes: Uint8Array, from: number, length: number): boolean {
  const first = bytes[from];
  const second = bytes[from + 1];
  switch (length) {
    case 22:
      return first === 0x00 && second === 0x14;
    case 23:
      return first === 0xa9 && second === 0x14 && bytes[from + 22] === 0x87;
    case 25:
      return (
        first === 0x76 &&
        second === 0xa9 &&
        bytes[from + 2] === 0x14 &&
        bytes[from + 23] === 0x88 &&
        bytes[from + 24] === 0xac
      );
    case 34:
      return (first === 0x00 || first === 0x51) && second === 0x20;
    default:
      return false;
  }
}

/** The address that an output script in hex pays; null for a script without one. */
export function addressOfScript(network: UtxoNetwork, script: string): string | null {
  const bytes = Buffer.from(script, "hex");
  if (!hasAddress(bytes, 0, bytes.length)) return null;
  return addressOfPayee(network, payeeOfScript(bytes));
}

/** Requires a script that `hasAddress` accepts. */
function payeeOfScript(script: Uint8Array): Payee {
  if (script.length === 25) return { addressType: "legacy", hash: script.subarray(3, 23) };
  if (script.length === 23) return { addressType: "p2sh-segwit", hash: script.subarray(2, 22) };
  return { addressType: script[0] === 0 ? "bech32" : "bech32m", hash: script.subarray(2) };
}

function payeeOfBase58(network: UtxoNetwork, address: string): Payee | null {
  const decoded = decodeBase58AddressFormat(address);
  if (typeof decoded === "string") return null;
  const bytes = Buffer.from([decoded.version, ...decoded.payload]);
  const hashAfter = (prefix: string): Uint8Array | null => {
    const start = Buffer.from(prefix, "hex");
    if (bytes.length !== start.length + 20 || !bytes.subarray(0, start.length).equals(start))
      return null;
    return bytes.subarray(start.length);
  };
  const keyHash = hashAfter(network.publicKeyHashPrefix);
  if (keyHash !== null) return { addressType: "legacy", hash: keyHash };
  for (const prefix of network.scriptHashPrefixes) {
    const hash = hashAfter(prefix);
    if (hash !== null) return { addressType: "p2sh-segwit", hash };
  }
  return null;
}

function base58Address(prefix: string, hash: Uint8Array): string {
  const [version, ...rest] = Buffer.from(prefix, "hex");
  return encodeBase58AddressFormat(
    present(version, "an address prefix"),
    Uint8Array.from([...rest, ...hash]),
  );
}
