import type { AddressTypeName, ScriptKind, UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { base58CheckBytes, base58CheckText } from "./base58-check.ts";
import { decodeCashAddress, encodeCashAddress } from "./cash-address.ts";
import { decodeBech32mHash, decodeSegwitAddress, encodeSegwitAddress } from "./segwit-address.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** What an address and its output script pay. */
export type Payee = {
  readonly kind: ScriptKind;
  /** Public key hash, script hash or witness program. */
  readonly hash: Uint8Array;
};

/**
 * Parses an address of this network, including its checksum; null for any other text, for MimbleWimble addresses and for witness
 * versions that no consensus rule protects yet (any miner could take what is sent there).
 */
export function payeeOfAddress(network: UtxoNetwork, address: string): Payee | null {
  const { cashAddressPrefix, segwitPrefix, transparentSourcePrefix } = network;
  const cash =
    cashAddressPrefix === undefined ? null : decodeCashAddress(cashAddressPrefix, address);
  if (cash !== null) return cash;
  const keyHash =
    transparentSourcePrefix === undefined
      ? null
      : decodeBech32mHash(transparentSourcePrefix, address);
  if (keyHash !== null) return { kind: "p2pkh", hash: keyHash };
  const witness = segwitPrefix === null ? null : decodeSegwitAddress(segwitPrefix, address);
  if (witness === null) return payeeOfBase58(network, address);
  const { version, program: hash } = witness;
  if (version === 0) return { kind: hash.length === 32 ? "p2wsh" : "p2wpkh", hash };
  return version === 1 && hash.length === 32 ? { kind: "p2tr", hash } : null;
}

/** The canonical spelling of the address. Throws `InvariantViolation` for a witness program on a chain without segwit. */
export function addressOfPayee(network: UtxoNetwork, { kind, hash }: Payee): string {
  const { cashAddressPrefix } = network;
  switch (kind) {
    case "p2pkh":
    case "p2sh":
      return cashAddressPrefix === undefined
        ? base58Spelling(network, { kind, hash })
        : encodeCashAddress(cashAddressPrefix, { kind, hash });
    case "p2sh32":
      return encodeCashAddress(present(cashAddressPrefix, "a prefix of CashAddr"), { kind, hash });
    case "p2wpkh":
    case "p2wsh":
      return segwitAddress(network, 0, hash);
    case "p2tr":
      return segwitAddress(network, 1, hash);
  }
}

/** The address of a key or a script in base58check, on every chain. Throws `InvariantViolation` for other kinds. */
export function base58Spelling(network: UtxoNetwork, { kind, hash }: Payee): string {
  assert(kind === "p2pkh" || kind === "p2sh", `an address of the kind ${kind} in base58`);
  return base58Address(
    kind === "p2pkh" ? network.publicKeyHashPrefix : network.scriptHashPrefixes[0],
    hash,
  );
}

/** The output script of each type's addresses, which belong to our keys. */
export const scriptKinds: Readonly<Record<AddressTypeName, ScriptKind>> = {
  "": "p2pkh",
  legacy: "p2pkh",
  "p2sh-segwit": "p2sh",
  bech32: "p2wpkh",
  bech32m: "p2tr",
};

/** The type of a payee's address on the wire: the closest one that the interface names, or the chain's only one. */
export function addressTypeOf(chain: UtxoChain, { kind }: Payee): AddressTypeName {
  if (chain.addressTypes.includes("")) return "";
  switch (kind) {
    case "p2pkh":
      return "legacy";
    case "p2sh":
    case "p2sh32":
      return "p2sh-segwit";
    case "p2wpkh":
    case "p2wsh":
      return "bech32";
    case "p2tr":
      return "bech32m";
  }
}

/** The output script in hex. */
export function scriptOfPayee(payee: Payee): string {
  const hash = Buffer.from(payee.hash).toString("hex");
  const push = payee.hash.length.toString(16).padStart(2, "0");
  switch (payee.kind) {
    case "p2pkh":
      return `76a9${push}${hash}88ac`;
    case "p2sh":
      return `a9${push}${hash}87`;
    case "p2sh32":
      return `aa${push}${hash}87`;
    case "p2wpkh":
    case "p2wsh":
      return `00${push}${hash}`;
    case "p2tr":
      return `51${push}${hash}`;
  }
}

/**
 * The kind of an output script that has an address on chains with that kind; null for OP_RETURN, bare keys and multisig,
 * MimbleWimble peg-ins and unknown witness versions. Works on the bytes in place, since it runs for every output of a block.
 */
export function kindOfScript(bytes: Uint8Array, from: number, length: number): ScriptKind | null {
  const first = bytes[from];
  const second = bytes[from + 1];
  switch (length) {
    case 22:
      return first === 0x00 && second === 0x14 ? "p2wpkh" : null;
    case 23:
      return first === 0xa9 && second === 0x14 && bytes[from + 22] === 0x87 ? "p2sh" : null;
    case 25:
      return first === 0x76 &&
        second === 0xa9 &&
        bytes[from + 2] === 0x14 &&
        bytes[from + 23] === 0x88 &&
        bytes[from + 24] === 0xac
        ? "p2pkh"
        : null;
    case 34:
      if (second !== 0x20) return null;
      return first === 0x00 ? "p2wsh" : first === 0x51 ? "p2tr" : null;
    case 35:
      return first === 0xaa && second === 0x20 && bytes[from + 34] === 0x87 ? "p2sh32" : null;
    default:
      return null;
  }
}

/** Whether an output script has an address on the chain. */
export function hasAddress(
  { dustUnits }: Pick<UtxoChain, "dustUnits">,
  bytes: Uint8Array,
  from: number,
  length: number,
): boolean {
  const kind = kindOfScript(bytes, from, length);
  return kind !== null && dustUnits[kind] !== undefined;
}

/** The address that an output script in hex pays; null for a script without one on this network. */
export function addressOfScript(network: UtxoNetwork, script: string): string | null {
  const bytes = Buffer.from(script, "hex");
  const kind = kindOfScript(bytes, 0, bytes.length);
  switch (kind) {
    case null:
      return null;
    case "p2pkh":
      return addressOfPayee(network, { kind, hash: bytes.subarray(3, 23) });
    case "p2sh":
      return addressOfPayee(network, { kind, hash: bytes.subarray(2, 22) });
    case "p2sh32":
      if (network.cashAddressPrefix === undefined) return null;
      return addressOfPayee(network, { kind, hash: bytes.subarray(2, 34) });
    case "p2wpkh":
    case "p2wsh":
    case "p2tr":
      if (network.segwitPrefix === null) return null;
      return addressOfPayee(network, { kind, hash: bytes.subarray(2) });
  }
}

function payeeOfBase58(network: UtxoNetwork, address: string): Payee | null {
  const bytes = base58CheckBytes(address);
  if (bytes === null) return null;
  const hashAfter = (prefix: string): Uint8Array | null => {
    const start = Buffer.from(prefix, "hex");
    if (bytes.length !== start.length + 20 || !bytes.subarray(0, start.length).equals(start))
      return null;
    return bytes.subarray(start.length);
  };
  const keyHash = hashAfter(network.publicKeyHashPrefix);
  if (keyHash !== null) return { kind: "p2pkh", hash: keyHash };
  for (const prefix of network.scriptHashPrefixes) {
    const hash = hashAfter(prefix);
    if (hash !== null) return { kind: "p2sh", hash };
  }
  return null;
}

function base58Address(prefix: string, hash: Uint8Array): string {
  return base58CheckText(Uint8Array.from([...Buffer.from(prefix, "hex"), ...hash]));
}

function segwitAddress(network: UtxoNetwork, version: number, program: Uint8Array): string {
  const prefix = present(network.segwitPrefix, `segwit on the network ${network.name}`);
  return encodeSegwitAddress(prefix, { version, program });
}
