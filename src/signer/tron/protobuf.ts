import { DraftRefused } from "../draft-signer.ts";

/*
 * The part of protobuf's wire format (protobuf.dev/programming-guides/encoding) that TRON's transactions use: integers and byte
 * strings. The reader accepts one encoding of each message only, the one that the node's and the wallets' serializers write, so
 * nothing is signed that was not read.
 */

/** The fields of a message by their number: integers as bigint, strings and nested messages as bytes. */
export type Fields = ReadonlyMap<number, bigint | Uint8Array>;

/** How each field that a message may have is encoded. */
export type Shape = Readonly<Record<number, "integer" | "bytes">>;

/** protobuf's int64 without negative numbers, which no field of ours has. */
const integerEnd = 1n << 63n;

/**
 * Reads a message. Throws `DraftRefused` for fields that the shape does not have, for a field out of order or repeated, for a
 * default value, for an integer not in its shortest form, and for bytes that are missing or left over.
 */
export function readMessage(bytes: Uint8Array, shape: Shape, name: string): Fields {
  const fields = new Map<number, bigint | Uint8Array>();
  let at = 0;
  let last = 0;
  while (at < bytes.length) {
    const key = readInteger();
    const number = Number(key >> 3n);
    const encoding = shape[number];
    if (encoding === undefined) throw new DraftRefused(`${name} has the unknown field ${number}`);
    if (number <= last) throw new DraftRefused(`${name} has field ${number} out of order`);
    last = number;
    if ((key & 7n) !== (encoding === "integer" ? 0n : 2n))
      throw new DraftRefused(`field ${number} of ${name} has another encoding`);
    const value = readInteger();
    if (value === 0n) throw new DraftRefused(`field ${number} of ${name} is empty`);
    fields.set(number, encoding === "integer" ? value : takeBytes(value));
  }
  return fields;

  function readInteger(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new DraftRefused(`${name} ends early`);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if ((byte === 0 && shift > 0n) || value >= integerEnd)
          throw new DraftRefused(`${name} has an integer of an unusual form`);
        return value;
      }
    }
    throw new DraftRefused(`${name} has an integer of more than 63 bits`);
  }

  function takeBytes(length: bigint): Uint8Array {
    if (length > BigInt(bytes.length - at)) throw new DraftRefused(`${name} ends early`);
    const taken = bytes.subarray(at, at + Number(length));
    at += Number(length);
    return taken;
  }
}

/** A byte string as a field of a message. */
export function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([(number << 3) | 2, ...lengthOf(bytes), ...bytes]);
}

function lengthOf(bytes: Uint8Array): readonly number[] {
  const digits: number[] = [];
  let rest = bytes.length;
  for (; rest >= 0x80; rest >>>= 7) digits.push((rest & 0x7f) | 0x80);
  return [...digits, rest];
}
