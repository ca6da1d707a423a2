import { Malformed } from "../rpc/answer.ts";

/** Reads Monero's binary format from the front. Every method throws `Malformed` where the bytes end early. */
export type ByteReader = {
  readonly at: () => number;
  readonly isAtEnd: () => boolean;
  readonly byte: () => number;
  readonly bytes: (length: number) => Uint8Array;
  /** Of at most 64 bits, in as few bytes as possible; at most `max`, by default what a double holds exactly. */
  readonly varint: (max?: number) => number;
  readonly bigVarint: () => bigint;
  /** The number of items that follow, each of at least so many bytes. */
  readonly count: (itemBytes: number) => number;
};

/** Reads `bytes` without copying them. */
export function createByteReader(bytes: Uint8Array): ByteReader {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new Malformed("bytes that end early");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const byte = (): number => take(1)[0] ?? 0;
  const bigVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const part = byte();
      // Nodes and wallets refuse a number with leading zeros (src/common/varint.h).
      if (part === 0 && shift > 0n) break;
      value |= BigInt(part & 0x7f) << shift;
      if (part < 0x80) {
        if (value >= 2n ** 64n) break;
        return value;
      }
    }
    throw new Malformed("a number of more than 64 bits, or of more bytes than it needs");
  };
  const varint = (max = Number.MAX_SAFE_INTEGER): number => {
    const value = bigVarint();
    if (value > BigInt(max)) throw new Malformed(`the number ${value}, above ${max}`);
    return Number(value);
  };
  return {
    at: () => at,
    isAtEnd: () => at === bytes.length,
    byte,
    bytes: take,
    varint,
    bigVarint,
    count: (itemBytes) => varint(Math.floor((bytes.length - at) / itemBytes)),
  };
}
