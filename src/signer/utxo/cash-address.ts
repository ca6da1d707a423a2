const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const checksumLetters = 8;
const generator = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** Version bytes, those of token-aware addresses included, with the script around the hash that they announce. */
const scripts: Readonly<Record<number, { readonly head: string; readonly tail: string }>> = {
  0x00: { head: "76a914", tail: "88ac" },
  0x10: { head: "76a914", tail: "88ac" },
  0x08: { head: "a914", tail: "87" },
  0x18: { head: "a914", tail: "87" },
  0x0b: { head: "aa20", tail: "87" },
  0x1b: { head: "aa20", tail: "87" },
};

/**
 * The output script of a CashAddr address as the adapter writes it: with its prefix, in lower case. Null for an address of another
 * form, and on chains without a prefix. Throws `RangeError` for a wrong checksum and for versions that name no script.
 */
export function scriptOfCashAddress(prefix: string | null, address: string): Uint8Array | null {
  const at = address.indexOf(":");
  if (prefix === null || at === -1) return null;
  if (address.slice(0, at) !== prefix) throw new RangeError("the prefix of another network");
  const values = Array.from(address.slice(at + 1), (letter) => alphabet.indexOf(letter));
  if (values.includes(-1)) throw new RangeError("a letter that CashAddr does not have");
  const masked = Array.from(prefix, (letter) => letter.charCodeAt(0) % 32);
  if (checksum([...masked, 0, ...values]) !== 0n) throw new RangeError("a wrong checksum");
  const digits = values.slice(0, -checksumLetters);
  const value = digits.reduce((sum, digit) => sum * 32n + BigInt(digit), 0n);
  const padding = (5 * digits.length) % 8;
  const length = (5 * digits.length - padding) / 8;
  if (padding > 4 || value % 2n ** BigInt(padding) !== 0n) throw new RangeError("wrong padding");
  const hex = (value >> BigInt(padding)).toString(16).padStart(2 * length, "0");
  const script = scripts[Number.parseInt(hex.slice(0, 2), 16)];
  if (script === undefined) throw new RangeError("a version that names no script");
  const hash = hex.slice(2);
  // The script's second last byte of the head is the hash's push.
  if (hash.length / 2 !== Number.parseInt(script.head.slice(-2), 16))
    throw new RangeError("a hash of another length");
  return Buffer.from(script.head + hash + script.tail, "hex");
}

/** The BCH code over five-bit values; 0 for a valid address. */
function checksum(values: readonly number[]): bigint {
  const state = values.reduce((before, value) => {
    const top = before >> 35n;
    const shifted = ((before % 2n ** 35n) * 32n) ^ BigInt(value);
    return generator.reduce(
      (mixed, factor, bit) => ((top >> BigInt(bit)) % 2n === 1n ? mixed ^ factor : mixed),
      shifted,
    );
  }, 1n);
  return state ^ 1n;
}
