import { Malformed } from "../rpc/answer.ts";

/*
 * msgpack as Algorand uses it. Blocks are hashed and transactions identified by their bytes, so maps keep the bytes of their members:
 * an encoding is taken apart and put together again, never repeated.
 */

/** A decoded value. Integers are bigint; text is UTF-8; keys of maps that are numbers are their decimal text. */
export type Packed = bigint | string | boolean | null | Uint8Array | readonly Packed[] | PackedMap;

/** A map with its members in order. */
export class PackedMap {
  readonly members: readonly Member[];

  constructor(members: readonly Member[]) {
    this.members = members;
  }

  /** The value of a member; undefined without one. */
  get(name: string): Packed | undefined {
    return this.members.find((member) => member.name === name)?.value;
  }
}

/** `bytes` are the key and the value. */
export type Member = {
  readonly name: string;
  readonly value: Packed;
  readonly bytes: Uint8Array;
};

/** Inner transactions nest at most 8 deep, each a few levels below the one around it. */
const depthMax = 64;

/** Decodes bytes that hold one value and nothing else. Throws `Malformed`. */
export function decodePacked(bytes: Uint8Array): Packed {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw new Malformed("bytes after the value");
  return value;
}

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  value(depth: number): Packed {
    if (depth > depthMax) throw new Malformed("values nested too deep");
    const tag = this.#unsigned(1);
    if (tag <= 0x7f) return BigInt(tag);
    if (tag <= 0x8f) return this.#map(tag & 0x0f, depth);
    if (tag <= 0x9f) return this.#list(tag & 0x0f, depth);
    if (tag <= 0xbf) return this.#text(tag & 0x1f);
    if (tag >= 0xe0) return BigInt(tag - 0x100);
    switch (tag) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return tag === 0xc3;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#take(this.#unsigned(2 ** (tag - 0xc4)));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return BigInt(this.#unsigned(2 ** (tag - 0xcc)));
      case 0xcf:
        return this.#wide((place) => this.#view.getBigUint64(place));
      case 0xd0:
        return BigInt((this.#unsigned(1) << 24) >> 24);
      case 0xd1:
        return BigInt((this.#unsigned(2) << 16) >> 16);
      case 0xd2:
        return BigInt(this.#unsigned(4) | 0);
      case 0xd3:
        return this.#wide((place) => this.#view.getBigInt64(place));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(2 ** (tag - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#unsigned(tag === 0xdc ? 2 : 4), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(tag === 0xde ? 2 : 4), depth);
      default:
        throw new Malformed(`a value of an unknown type: ${tag}`);
    }
  }

  #map(length: number, depth: number): PackedMap {
    const members: Member[] = [];
    for (let place = 0; place < length; place += 1) {
      const from = this.at;
      const key = this.value(depth + 1);
      if (typeof key !== "string" && typeof key !== "bigint") throw new Malformed("no key");
      const value = this.value(depth + 1);
      members.push({ name: String(key), value, bytes: this.#bytes.subarray(from, this.at) });
    }
    return new PackedMap(members);
  }

  #list(length: number, depth: number): readonly Packed[] {
    const list: Packed[] = [];
    for (let place = 0; place < length; place += 1) list.push(this.value(depth + 1));
    return list;
  }

  #text(length: number): string {
    return Buffer.from(this.#take(length)).toString("utf8");
  }

  #unsigned(length: number): number {
    return this.#take(length).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  #wide(read: (place: number) => bigint): bigint {
    const place = this.at;
    this.#take(8);
    return read(place);
  }

  #take(length: number): Uint8Array {
    const from = this.at;
    if (from + length > this.#bytes.length) throw new Malformed("bytes are missing");
    this.at += length;
    return this.#bytes.subarray(from, this.at);
  }
}

/** The bytes of a map with these members, in this order. */
export function joinMembers(members: readonly Uint8Array[]): Uint8Array {
  const { length } = members;
  const head = length < 16 ? [0x80 | length] : [0xde, length >> 8, length & 0xff];
  return Buffer.concat([Uint8Array.from(head), ...members]);
}

/**
 * The canonical encoding of a map: members sorted by name, integers as short as possible, and none that is empty or 0. Values are
 * integers of 64 bits, text and bytes.
 */
export function encodeMap(
  members: Readonly<Record<string, bigint | string | Uint8Array | null>>,
): Uint8Array {
  const present = Object.entries(members).flatMap(([name, value]) =>
    value === null || value === 0n || value === "" || (value as Uint8Array).length === 0
      ? []
      : [[name, value] as const],
  );
  present.sort(([one], [other]) => (one < other ? -1 : 1));
  return joinMembers(present.map(([name, value]) => encodeMember(name, value)));
}

/** The bytes of a member: its key and its value. */
export function encodeMember(name: string, value: bigint | string | Uint8Array): Uint8Array {
  return Buffer.concat([encodeText(name), encodeValue(value)]);
}

function encodeValue(value: bigint | string | Uint8Array): Uint8Array {
  if (typeof value === "string") return encodeText(value);
  if (typeof value === "bigint") return encodeInteger(value);
  const { length } = value;
  const head = length < 256 ? [0xc4, length] : [0xc5, length >> 8, length & 0xff];
  return Buffer.concat([Uint8Array.from(head), value]);
}

function encodeText(text: string): Uint8Array {
  const bytes = Buffer.from(text, "utf8");
  const { length } = bytes;
  return Buffer.concat([Uint8Array.from(length < 32 ? [0xa0 | length] : [0xd9, length]), bytes]);
}

function encodeInteger(value: bigint): Uint8Array {
  if (value < 128n) return Uint8Array.of(Number(value));
  const [tag, length] =
    value < 2n ** 8n
      ? [0xcc, 1]
      : value < 2n ** 16n
        ? [0xcd, 2]
        : value < 2n ** 32n
          ? [0xce, 4]
          : [0xcf, 8];
  const digits = value.toString(16).padStart(length * 2, "0");
  return Buffer.concat([Uint8Array.of(tag), Buffer.from(digits, "hex")]);
}
