/*
 * CBOR (RFC 8949) as far as our transactions consist of it: integers, bytes, lists, maps, tags and two simple values, each with its shortest
 * head. Nothing is read with it: the bytes that are signed come from what was verified.
 */

export type Cbor = Uint8Array;

export const cborTrue: Cbor = Uint8Array.of(0xf5);
export const cborNull: Cbor = Uint8Array.of(0xf6);

/** An integer from 0 to 2^64 - 1. */
export function cborInteger(value: bigint | number): Cbor {
  return head(0, BigInt(value));
}

export function cborBytes(bytes: Uint8Array): Cbor {
  return join([head(2, BigInt(bytes.length)), bytes]);
}

export function cborList(items: readonly Cbor[]): Cbor {
  return join([head(4, BigInt(items.length)), ...items]);
}

/** In the given order; the caller puts no key twice. */
export function cborMap(entries: readonly (readonly [Cbor, Cbor])[]): Cbor {
  return join([head(5, BigInt(entries.length)), ...entries.flat()]);
}

/** A set: tag 258 and a list, as Conway writes it. */
export function cborSet(items: readonly Cbor[]): Cbor {
  return join([head(6, 258n), cborList(items)]);
}

function head(major: number, argument: bigint): Uint8Array {
  if (argument < 0n || argument >= 2n ** 64n) throw new RangeError("no integer of 64 bits");
  if (argument < 24n) return Uint8Array.of((major << 5) | Number(argument));
  const [short, length] =
    argument < 2n ** 8n
      ? [24, 1]
      : argument < 2n ** 16n
        ? [25, 2]
        : argument < 2n ** 32n
          ? [26, 4]
          : [27, 8];
  const bytes = Buffer.alloc(1 + length);
  bytes[0] = (major << 5) | short;
  Buffer.from(argument.toString(16).padStart(2 * length, "0"), "hex").copy(bytes, 1);
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
