/** An RLP item: bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** Recursive length prefix, the encoding of Ethereum's transactions (Yellow Paper, appendix B). */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    const [first] = item;
    if (item.length === 1 && first !== undefined && first < 0x80) return item;
    return joined([prefix(0x80, item.length), item]);
  }
  const content = joined(item.map(encodeRlp));
  return joined([prefix(0xc0, content.length), content]);
}

/** An integer in RLP: big-endian without leading zeros, empty for zero. */
export function integerBytes(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError("RLP cannot encode negative integers");
  if (value === 0n) return new Uint8Array();
  const digits = value.toString(16);
  return hexBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}

/** The bytes of hexadecimal digits, with or without `0x`. */
export function hexBytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.startsWith("0x") ? hex.slice(2) : hex, "hex"));
}

function prefix(base: number, length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(base + length);
  const lengthBytes = integerBytes(BigInt(length));
  return joined([Uint8Array.of(base + 55 + lengthBytes.length), lengthBytes]);
}

/** Concatenates byte arrays. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
