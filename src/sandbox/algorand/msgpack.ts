/**
 * MessagePack as Algorand uses it: maps with text keys in ascending order, integers in their shortest form, empty members left out.
 */
export type Value =
  | bigint
  | boolean
  | string
  | Uint8Array
  | readonly Value[]
  | ReadonlyMap<bigint, Value>
  | ValueMap;
/** Members that are undefined are not written. */
export type ValueMap = { readonly [name: string]: Value | undefined };

/** Bytes that are not MessagePack, or not what is expected there. */
export class MalformedBytes extends Error {
  override readonly name = "MalformedBytes";
}

/** The canonical encoding of a value. */
export function encodeValue(value: Value): Uint8Array {
  const parts: Uint8Array[] = [];
  write(value, parts);
  return Uint8Array.from(Buffer.concat(parts));
}

function write(value: Value, parts: Uint8Array[]): void {
  if (typeof value === "bigint") parts.push(integer(value));
  else if (typeof value === "boolean") parts.push(Uint8Array.of(value ? 0xc3 : 0xc2));
  else if (typeof value === "string") {
    const text = Buffer.from(value, "utf8");
    parts.push(
      text.length < 32 ? Uint8Array.of(0xa0 | text.length) : head(text.length, [0xd9, 0xda, 0xdb]),
      text,
    );
  } else if (value instanceof Uint8Array) parts.push(head(value.length, [0xc4, 0xc5, 0xc6]), value);
  else if (isList(value)) {
    parts.push(
      value.length < 16
        ? Uint8Array.of(0x90 | value.length)
        : head(value.length, [null, 0xdc, 0xdd]),
    );
    for (const item of value) write(item, parts);
  } else if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<bigint, Value>)];
    parts.push(mapHead(entries.length));
    for (const [key, entry] of entries) {
      write(key, parts);
      write(entry, parts);
    }
  } else {
    const members = Object.entries(value as ValueMap)
      .filter((member): member is [string, Value] => member[1] !== undefined)
      .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    parts.push(mapHead(members.length));
    for (const [name, member] of members) {
      write(name, parts);
      write(member, parts);
    }
  }
}

function mapHead(length: number): Uint8Array {
  return length < 16 ? Uint8Array.of(0x80 | length) : head(length, [null, 0xde, 0xdf]);
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isMap(value: Value): value is ValueMap {
  return (
    typeof value === "object" &&
    !(value instanceof Uint8Array) &&
    !(value instanceof Map) &&
    !isList(value)
  );
}

/** A map without some of its members. */
export function without(map: ValueMap, names: readonly string[]): ValueMap {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));
}

function integer(value: bigint): Uint8Array {
  if (value < 0n || value >= 1n << 64n) throw new RangeError("an integer has 64 bits at most");
  if (value < 128n) return Uint8Array.of(Number(value));
  const sizes = [1, 2, 4, 8];
  const at = sizes.findIndex((bytes) => value < 1n << BigInt(8 * bytes));
  return Uint8Array.from([0xcc + at, ...bigEndian(value, sizes[at] ?? 8)]);
}

/** The code for a length of one, two or four bytes (null: there is none), and the length. */
function head(
  length: number,
  [short, middle, long]: readonly [number | null, number, number],
): Uint8Array {
  if (length < 0x100 && short !== null) return Uint8Array.of(short, length);
  if (length < 0x10000) return Uint8Array.from([middle, ...bigEndian(BigInt(length), 2)]);
  return Uint8Array.from([long, ...bigEndian(BigInt(length), 4)]);
}

export function bigEndian(value: bigint, bytes: number): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * bytes, "0"), "hex"));
}

const depthMax = 32;

/** The values that follow each other in the bytes; throws `MalformedBytes`. */
export function decodeValues(bytes: Uint8Array): readonly Value[] {
  const reader = readerOf(bytes);
  const values: Value[] = [];
  while (!reader.isAtEnd()) values.push(readValue(reader, 0));
  return values;
}

type Reader = {
  readonly isAtEnd: () => boolean;
  readonly take: (length: number) => Uint8Array;
};

function readerOf(bytes: Uint8Array): Reader {
  let at = 0;
  return {
    isAtEnd: () => at === bytes.length,
    take: (length) => {
      if (at + length > bytes.length) throw new MalformedBytes("unexpected EOF");
      at += length;
      return bytes.slice(at - length, at);
    },
  };
}

function readNumber(reader: Reader, bytes: number): bigint {
  return BigInt(`0x${Buffer.from(reader.take(bytes)).toString("hex")}`);
}

function readValue(reader: Reader, depth: number): Value {
  if (depth > depthMax) throw new MalformedBytes("max depth exceeded");
  const [code = 0] = reader.take(1);
  if (code < 0x80) return BigInt(code);
  if (code < 0x90) return readMap(reader, code & 0x0f, depth);
  if (code < 0xa0) return readList(reader, code & 0x0f, depth);
  if (code < 0xc0) return readText(reader, code & 0x1f);
  if (code === 0xc2 || code === 0xc3) return code === 0xc3;
  if (code >= 0xc4 && code <= 0xc6) return reader.take(readLength(reader, 1 << (code - 0xc4)));
  if (code >= 0xcc && code <= 0xcf) return readNumber(reader, 1 << (code - 0xcc));
  if (code >= 0xd9 && code <= 0xdb) return readText(reader, readLength(reader, 1 << (code - 0xd9)));
  if (code === 0xdc || code === 0xdd)
    return readList(reader, readLength(reader, 2 << (code - 0xdc)), depth);
  if (code === 0xde || code === 0xdf)
    return readMap(reader, readLength(reader, 2 << (code - 0xde)), depth);
  throw new MalformedBytes(`unexpected code 0x${code.toString(16)}`);
}

function readLength(reader: Reader, bytes: number): number {
  return Number(readNumber(reader, bytes));
}

function readText(reader: Reader, length: number): string {
  const bytes = Buffer.from(reader.take(length));
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw new MalformedBytes("text is not UTF-8");
  return text;
}

function readList(reader: Reader, length: number, depth: number): readonly Value[] {
  const items: Value[] = [];
  for (let at = 0; at < length; at += 1) items.push(readValue(reader, depth + 1));
  return items;
}

function readMap(reader: Reader, length: number, depth: number): ValueMap {
  const members = new Map<string, Value>();
  for (let at = 0; at < length; at += 1) {
    const name = readValue(reader, depth + 1);
    if (typeof name !== "string") throw new MalformedBytes("a map's key is not text");
    if (members.has(name)) throw new MalformedBytes(`the key ${name} is there twice`);
    members.set(name, readValue(reader, depth + 1));
  }
  return Object.fromEntries(members);
}
