import { concatBytes } from "@noble/hashes/utils.js";

/** A data item (RFC 8949) with the bytes that it was read from, since Cardano's ids and hashes cover those. */
export type Item = { readonly raw: Uint8Array } & (
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "bytes"; readonly value: Uint8Array }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "list"; readonly items: readonly Item[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [Item, Item])[] }
  | { readonly kind: "tag"; readonly tag: bigint; readonly item: Item }
  | { readonly kind: "simple"; readonly value: boolean | null }
);

/** Bytes that are not what is expected there. */
export class CborError extends Error {
  override readonly name = "CborError";
}

type Read = { readonly item: Item; readonly end: number };
type Head = {
  readonly major: number;
  /** Null for an indefinite length. */
  readonly argument: bigint | null;
  readonly end: number;
};

const depthMax = 200;
const breakByte = 0xff;

/** The one item that the bytes contain. Throws `CborError`. */
export function decode(bytes: Uint8Array): Item {
  const { end, item } = readItem(bytes, 0, 0);
  if (end !== bytes.length) throw new CborError(`${bytes.length - end} bytes are left over`);
  return item;
}

function readHead(bytes: Uint8Array, at: number): Head {
  const first = bytes[at];
  if (first === undefined) throw new CborError("the bytes end too early");
  const major = first >> 5;
  const short = first & 31;
  if (short < 24) return { major, argument: BigInt(short), end: at + 1 };
  if (short === 31) return { major, argument: null, end: at + 1 };
  const size = 2 ** (short - 24);
  if (short > 27 || at + 1 + size > bytes.length)
    throw new CborError("the length of an item is wrong");
  const end = at + 1 + size;
  const argument = BigInt(`0x${Buffer.from(bytes.subarray(at + 1, end)).toString("hex")}`);
  return { major, argument, end };
}

function readItem(bytes: Uint8Array, at: number, depth: number): Read {
  if (depth > depthMax) throw new CborError("the items are nested too deeply");
  const head = readHead(bytes, at);
  const { argument, major } = head;
  const finish = (end: number): { readonly raw: Uint8Array } => ({ raw: bytes.subarray(at, end) });
  switch (major) {
    case 0:
    case 1: {
      if (argument === null) throw new CborError("an integer has no value");
      const value = major === 0 ? argument : -1n - argument;
      return { item: { ...finish(head.end), kind: "int", value }, end: head.end };
    }
    case 2:
    case 3: {
      const { end, value } = readString(bytes, head);
      const item: Item =
        major === 2
          ? { ...finish(end), kind: "bytes", value }
          : { ...finish(end), kind: "text", value: new TextDecoder().decode(value) };
      return { item, end };
    }
    case 4:
    case 5: {
      const { end, items } = readItems(bytes, head, depth);
      const item: Item =
        major === 4
          ? { ...finish(end), kind: "list", items }
          : { ...finish(end), kind: "map", entries: pairs(items) };
      return { item, end };
    }
    case 6: {
      if (argument === null) throw new CborError("a tag has no number");
      const { end, item } = readItem(bytes, head.end, depth + 1);
      return { item: { ...finish(end), kind: "tag", tag: argument, item }, end };
    }
    default: {
      const simple = new Map([
        [20n, false],
        [21n, true],
        [22n, null],
      ]).get(argument ?? -1n);
      if (simple === undefined) throw new CborError("a simple value is not used here");
      return { item: { ...finish(head.end), kind: "simple", value: simple }, end: head.end };
    }
  }
}

function readString(
  bytes: Uint8Array,
  { argument, end, major }: Head,
): { readonly value: Uint8Array; readonly end: number } {
  if (argument !== null) {
    const last = end + Number(argument);
    if (last > bytes.length) throw new CborError("the bytes end too early");
    return { value: bytes.subarray(end, last), end: last };
  }
  const chunks: Uint8Array[] = [];
  let at = end;
  while (bytes[at] !== breakByte) {
    const head = readHead(bytes, at);
    if (head.major !== major || head.argument === null)
      throw new CborError("a chunk of a string is of another type");
    const chunk = readString(bytes, head);
    chunks.push(chunk.value);
    at = chunk.end;
  }
  return { value: concatBytes(...chunks), end: at + 1 };
}

function readItems(
  bytes: Uint8Array,
  { argument, end, major }: Head,
  depth: number,
): { readonly items: readonly Item[]; readonly end: number } {
  const items: Item[] = [];
  const count = argument === null ? null : Number(argument) * (major === 5 ? 2 : 1);
  let at = end;
  while (count === null ? bytes[at] !== breakByte : items.length < count) {
    const read = readItem(bytes, at, depth + 1);
    items.push(read.item);
    at = read.end;
  }
  return { items, end: count === null ? at + 1 : at };
}

function pairs(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  const entries: (readonly [Item, Item])[] = [];
  for (let at = 0; at < items.length; at += 2) {
    const [key, value] = items.slice(at, at + 2);
    if (key === undefined || value === undefined) throw new CborError("a map lacks a value");
    entries.push([key, value]);
  }
  return entries;
}

/** Throws `CborError` for another type, as all readers below. */
export function intOf(item: Item): bigint {
  if (item.kind !== "int") throw new CborError(`an integer is expected, not ${item.kind}`);
  return item.value;
}

export function bytesOf(item: Item): Uint8Array {
  if (item.kind !== "bytes") throw new CborError(`bytes are expected, not ${item.kind}`);
  return item.value;
}

export function hexOf(item: Item): string {
  return Buffer.from(bytesOf(item)).toString("hex");
}

/** The items of a list, or of a set (tag 258). */
export function listOf(item: Item): readonly Item[] {
  if (item.kind === "tag" && item.tag === 258n) return listOf(item.item);
  if (item.kind !== "list") throw new CborError(`a list is expected, not ${item.kind}`);
  return item.items;
}

export function mapOf(item: Item): readonly (readonly [Item, Item])[] {
  if (item.kind !== "map") throw new CborError(`a map is expected, not ${item.kind}`);
  return item.entries;
}

/** The values of a map with integers as keys. */
export function fieldsOf(item: Item): ReadonlyMap<number, Item> {
  return new Map(mapOf(item).map(([key, value]) => [Number(intOf(key)), value]));
}

/** What `encode` writes; `{ raw }` is an item that is encoded already. */
export type Encodable =
  | number
  | bigint
  | string
  | boolean
  | null
  | Uint8Array
  | readonly Encodable[]
  | ReadonlyMap<Encodable, Encodable>
  | { readonly raw: Uint8Array }
  | { readonly tag: number; readonly value: Encodable };

/** Bytes of definite lengths. Entries of maps keep their order. */
export function encode(value: Encodable): Uint8Array {
  if (typeof value === "number" || typeof value === "bigint") {
    const big = BigInt(value);
    return big >= 0n ? headOf(0, big) : headOf(1, -1n - big);
  }
  if (value === null) return Uint8Array.of(0xf6);
  if (typeof value === "boolean") return Uint8Array.of(value ? 0xf5 : 0xf4);
  if (typeof value === "string") {
    const text = new TextEncoder().encode(value);
    return concatBytes(headOf(3, BigInt(text.length)), text);
  }
  if (value instanceof Uint8Array) return concatBytes(headOf(2, BigInt(value.length)), value);
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<Encodable, Encodable>)];
    return concatBytes(headOf(5, BigInt(entries.length)), ...entries.flat().map(encode));
  }
  if (isList(value)) return concatBytes(headOf(4, BigInt(value.length)), ...value.map(encode));
  if ("raw" in value) return value.raw;
  if ("tag" in value) return concatBytes(headOf(6, BigInt(value.tag)), encode(value.value));
  throw new CborError("the value cannot be encoded");
}

function isList(value: Encodable): value is readonly Encodable[] {
  return Array.isArray(value);
}

function headOf(major: number, argument: bigint): Uint8Array {
  const first = major << 5;
  if (argument < 24n) return Uint8Array.of(first | Number(argument));
  const power = [1, 2, 4, 8].findIndex((size) => argument < 1n << BigInt(8 * size));
  if (power < 0) throw new CborError("an integer is larger than 64 bits");
  const digits = argument.toString(16).padStart(2 ** (power + 1), "0");
  return concatBytes(
    Uint8Array.of(first | (24 + power)),
    Uint8Array.from(Buffer.from(digits, "hex")),
  );
}
