import { assert } from "../../platform/kernel/assert.ts";

/*
 * The part of protobuf's encoding that TRON's headers and our own transactions need: integers, and bytes for texts and nested
 * messages. The signer has a reader of its own for the result.
 */

/** A field of a message; an integer of 0 is left out, as all serializers do. */
export function field(number: number, value: bigint | Uint8Array): Uint8Array {
  if (typeof value === "bigint")
    return value === 0n ? new Uint8Array() : join([varint(BigInt(number << 3)), varint(value)]);
  return join([varint(BigInt((number << 3) | 2)), varint(BigInt(value.length)), value]);
}

export function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** Seven bits per byte, the lowest first. */
function varint(value: bigint): Uint8Array {
  assert(value >= 0n && value < 1n << 63n, "an integer of 63 bits");
  const bytes: number[] = [];
  for (let rest = value; rest > 0n || bytes.length === 0; rest >>= 7n)
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
  return Uint8Array.from(bytes);
}
