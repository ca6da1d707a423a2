import { present } from "../../platform/kernel/assert.ts";

/** What a CashAddr address pays. Token-aware addresses (types 2 and 3) pay the same scripts as the ordinary ones. */
export type CashAddress = {
  readonly kind: "p2pkh" | "p2sh" | "p2sh32";
  readonly hash: Uint8Array;
};

const charset = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const checksumLength = 8;
/** Type bits of the version byte: key, script, token-aware key, token-aware script. */
const scriptTypes = new Set([1, 3]);
const typeMax = 3;

/**
 * Parses a CashAddr address with or without its prefix, in lower or in upper case (CashAddr specification of Bitcoin Cash). Null
 * for another prefix, a wrong checksum, and hashes of lengths that no output script uses.
 */
export function decodeCashAddress(prefix: string, text: string): CashAddress | null {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
  const lower = text.toLowerCase();
  const start = `${prefix}:`;
  const bare = lower.startsWith(start) ? lower.slice(start.length) : lower;
  const digits = Array.from(bare, (letter) => charset.indexOf(letter));
  if (digits.length <= checksumLength || digits.includes(-1)) return null;
  if (polymod([...prefixDigits(prefix), ...digits]) !== 0n) return null;
  const bytes = regroup(digits.slice(0, -checksumLength), 5, 8, false);
  if (bytes === null) return null;
  const [version = 0xff, ...payload] = bytes;
  const type = version >> 3;
  if (type > typeMax) return null;
  const isScript = scriptTypes.has(type);
  // The low bits of the version say the length, of which two are used.
  const size = version & 7;
  const hash = Uint8Array.from(payload);
  if (size === 0 && hash.length === 20) return { kind: isScript ? "p2sh" : "p2pkh", hash };
  return size === 3 && hash.length === 32 && isScript ? { kind: "p2sh32", hash } : null;
}

/** The canonical spelling: in lower case, with the prefix, not token-aware. */
export function encodeCashAddress(prefix: string, { kind, hash }: CashAddress): string {
  const type = kind === "p2pkh" ? 0 : 1;
  const version = (type << 3) | (kind === "p2sh32" ? 3 : 0);
  const digits = present(regroup([version, ...hash], 8, 5, true), "digits of five bits");
  const empty = Array.from({ length: checksumLength }, () => 0);
  const checksum = polymod([...prefixDigits(prefix), ...digits, ...empty]);
  const tail = empty.map((_, index) => Number((checksum >> BigInt(5 * (7 - index))) & 31n));
  return `${prefix}:${[...digits, ...tail].map((digit) => charset.charAt(digit)).join("")}`;
}

/** The lowest five bits of each letter, and a zero for the colon. */
function prefixDigits(prefix: string): readonly number[] {
  return [...Array.from(prefix, (letter) => letter.charCodeAt(0) & 31), 0];
}

const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** The BCH code of 40 bits; 0 for a valid address. */
function polymod(digits: readonly number[]): bigint {
  let state = 1n;
  for (const digit of digits) {
    const top = state >> 35n;
    state = ((state & 0x07ffffffffn) << 5n) ^ BigInt(digit);
    generators.forEach((generator, bit) => {
      if (((top >> BigInt(bit)) & 1n) === 1n) state ^= generator;
    });
  }
  return state ^ 1n;
}

/** Null if the bits left over are no padding of zeros, which only `pads` makes. */
function regroup(
  values: readonly number[],
  from: number,
  to: number,
  pads: boolean,
): readonly number[] | null {
  const regrouped: number[] = [];
  let held = 0;
  let bits = 0;
  for (const value of values) {
    held = ((held << from) | value) & 0xffff;
    bits += from;
    while (bits >= to) {
      bits -= to;
      regrouped.push((held >> bits) & ((1 << to) - 1));
    }
  }
  if (pads && bits > 0) regrouped.push((held << (to - bits)) & ((1 << to) - 1));
  const rest = held & ((1 << bits) - 1);
  return !pads && (bits >= from || rest !== 0) ? null : regrouped;
}
