import { algorandAddressText } from "../../currencies/algorand-address.ts";
import { Malformed } from "../rpc/answer.ts";
import { type Packed, PackedMap } from "./msgpack.ts";

/*
 * Parsers for the members of blocks in msgpack. Each parser throws `Malformed` for anything else.
 */

export const hashLength = 32;

export function mapIn(value: Packed | undefined): PackedMap {
  if (!(value instanceof PackedMap)) throw new Malformed("no map");
  return value;
}

/** A list; empty if it is left out. */
export function listIn(value: Packed | undefined): readonly Packed[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Malformed("no list");
  return value as readonly Packed[];
}

/** A hash of 32 bytes. */
export function hashIn(value: Packed): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length !== hashLength) throw new Malformed("no hash");
  return value;
}

/** An address; the one of 32 zeros if it is left out. */
export function addressIn(value: Packed | undefined): string {
  return algorandAddressText(value === undefined ? new Uint8Array(hashLength) : hashIn(value));
}
