/*
 * Segwit addresses, BIP173 (bech32, witness version 0) and BIP350 (bech32m, all later versions). Our own implementation verifies
 * the library that derives addresses.
 */

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const bech32Residue = 1;
const bech32mResidue = 0x2bc830a3;
/** The maximum address length that the checksum was designed for. */
const longestAddress = 90;

export type WitnessProgram = { readonly version: number; readonly program: Uint8Array };

/** Encodes an address in lower case. `program` is 2 to 40 bytes. */
export function encodeSegwitAddress(prefix: string, witness: WitnessProgram): string {
  const words = [witness.version, ...regroup([...witness.program], 8, 5, "pad")];
  const residue = residueOf(witness.version);
  const spread = [...spreadPrefix(prefix), ...words, 0, 0, 0, 0, 0, 0];
  const checksum = polymod(spread) ^ residue;
  const checkWords = [0, 1, 2, 3, 4, 5].map((index) => (checksum >>> (5 * (5 - index))) & 31);
  return `${prefix}1${[...words, ...checkWords].map((word) => alphabet.charAt(word)).join("")}`;
}

/**
 * Parses an address with this prefix; null for anything that the BIPs forbid: a wrong checksum, the checksum of the other BIP,
 * mixed case, non-zero padding, a program of a forbidden length.
 */
export function decodeSegwitAddress(prefix: string, address: string): WitnessProgram | null {
  const read = readWords(prefix, address);
  if (read === null) return null;
  const [version = 32, ...mode] = read.words;
  if (version > 16 || read.residue !== residueOf(version)) return null;
  const bytes = regroup(mode, 5, 8, "exact");
  if (bytes.length < 2 || bytes.length > 40) return null;
  if (version === 0 && bytes.length !== 20 && bytes.length !== 32) return null;
  return { version, program: Uint8Array.from(bytes) };
}

/** Parses bech32m text with this prefix whose data are 20 bytes and no version, such as TEX addresses (ZIP-320); else null. */
export function decodeBech32mHash(prefix: string, address: string): Uint8Array | null {
  const read = readWords(prefix, address);
  if (read === null || read.residue !== bech32mResidue) return null;
  const bytes = regroup(read.words, 5, 8, "exact");
  return bytes.length === 20 ? Uint8Array.from(bytes) : null;
}

/** The words before the checksum, of which there is at least one, and which BIP's checksum it is. */
function readWords(
  prefix: string,
  address: string,
): { readonly words: readonly number[]; readonly residue: number } | null {
  if (!/^[\x21-\x7e]+$/.test(address)) return null;
  const lower = address.toLowerCase();
  if (address !== lower && address !== address.toUpperCase()) return null;
  if (address.length > longestAddress || !lower.startsWith(`${prefix}1`)) return null;
  const letters = lower.slice(prefix.length + 1);
  const words = Array.from(letters, (letter) => alphabet.indexOf(letter));
  if (words.length < 7 || words.includes(-1)) return null;
  return { words: words.slice(0, -6), residue: polymod([...spreadPrefix(prefix), ...words]) };
}

function residueOf(version: number): number {
  return version === 0 ? bech32Residue : bech32mResidue;
}

function spreadPrefix(prefix: string): number[] {
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(words: readonly number[]): number {
  let residue = 1;
  for (const word of words) {
    const top = residue >>> 25;
    residue = ((residue & 0x1ffffff) << 5) ^ word;
    generators.forEach((generator, bit) => {
      if (((top >>> bit) & 1) === 1) residue ^= generator;
    });
  }
  return residue >>> 0;
}

/** Regroups words of `from` bits into words of `to` bits; `exact` returns an empty array if the remainder is not zero padding. */
function regroup(
  words: readonly number[],
  from: number,
  to: number,
  mode: "pad" | "exact",
): number[] {
  const regrouped: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const word of words) {
    buffer = ((buffer << from) | word) & 0xfff;
    bits += from;
    while (bits >= to) {
      bits -= to;
      regrouped.push((buffer >>> bits) & (2 ** to - 1));
    }
  }
  const padding = (buffer << (to - bits)) & (2 ** to - 1);
  if (mode === "pad") return bits > 0 ? [...regrouped, padding] : regrouped;
  return bits >= from || (bits > 0 && padding !== 0) ? [] : regrouped;
}
