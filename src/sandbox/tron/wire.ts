import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { present } from "../../platform/kernel/assert.ts";

/** Names and numbers of an enumeration; 0 is the default. */
export type Enumeration = Readonly<Record<string, number>>;
/** `address` and `name` are bytes that a node prints as base58 and as text when a caller asks for `visible` answers. */
export type FieldKind = "int" | "bool" | "string" | "bytes" | "address" | "name" | Enumeration;
export type Field = readonly [id: number, kind: FieldKind | Schema, repeated?: "repeated"];
/** The fields of a protobuf message by name. */
export type Schema = { readonly [name: string]: Field };

type ValueOf<Kind> = Kind extends "int"
  ? bigint
  : Kind extends "bool"
    ? boolean
    : Kind extends "string" | "bytes" | "address" | "name"
      ? string
      : Kind extends Schema
        ? MessageOf<Kind>
        : Kind extends Enumeration
          ? keyof Kind & string
          : never;

/** A message in memory. Absent fields have their default; bytes are lower-case hexadecimal. */
export type MessageOf<Of extends Schema> = {
  readonly [Name in keyof Of]?: Of[Name] extends readonly [number, infer Kind, "repeated"]
    ? readonly ValueOf<Kind>[]
    : Of[Name] extends readonly [number, infer Kind]
      ? ValueOf<Kind>
      : never;
};

/** Any message, for code that follows a schema. */
export type AnyMessage = { readonly [name: string]: unknown };

/** Bytes that are not a protobuf message of the schema. */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
}

const varint = 0;
const fixed64 = 1;
const delimited = 2;
const fixed32 = 5;

export function isSchema(kind: FieldKind | Schema): kind is Schema {
  return typeof kind === "object" && Object.values(kind).every((value) => Array.isArray(value));
}

/** Encodes a message as protobuf 3: fields in the order of their numbers, defaults left out. Returns hexadecimal. */
export function encode<Of extends Schema>(schema: Of, message: MessageOf<Of>): string {
  return encodeAny(schema, message);
}

function encodeAny(schema: Schema, message: AnyMessage): string {
  let hex = "";
  const fields = Object.entries(schema).toSorted(([, [one]], [, [other]]) => one - other);
  for (const [name, [id, kind, repeated]] of fields) {
    const value = message[name];
    if (value === undefined) continue;
    for (const item of repeated === undefined ? [value] : (value as readonly unknown[]))
      if (repeated !== undefined || !isDefault(kind, item)) hex += encodeField(id, kind, item);
  }
  return hex;
}

/** Whether protobuf 3 leaves the value out. A nested message is written even when it is empty. */
export function isDefault(kind: FieldKind | Schema, value: unknown): boolean {
  if (kind === "int") return value === 0n;
  if (kind === "bool") return value === false;
  if (typeof kind === "string") return value === "";
  return !isSchema(kind) && kind[value as string] === 0;
}

function encodeField(id: number, kind: FieldKind | Schema, value: unknown): string {
  if (kind === "int") return tag(id, varint) + encodeVarint(value as bigint);
  if (kind === "bool") return tag(id, varint) + (value === true ? "01" : "00");
  if (kind === "string") return delimitedField(id, bytesToHex(utf8ToBytes(value as string)));
  if (typeof kind === "string") return delimitedField(id, value as string);
  if (isSchema(kind)) return delimitedField(id, encodeAny(kind, value as AnyMessage));
  return tag(id, varint) + encodeVarint(BigInt(present(kind[value as string], "a known name")));
}

function tag(id: number, type: number): string {
  return encodeVarint(BigInt(id * 8 + type));
}

function delimitedField(id: number, hex: string): string {
  return tag(id, delimited) + encodeVarint(BigInt(hex.length / 2)) + hex;
}

function encodeVarint(value: bigint): string {
  let rest = BigInt.asUintN(64, value);
  const bytes: number[] = [];
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return bytesToHex(Uint8Array.from(bytes));
}

/** Decodes hexadecimal; fields that the schema does not name are skipped. Throws `MalformedMessage`. */
export function decode<Of extends Schema>(schema: Of, hex: string): MessageOf<Of> {
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new MalformedMessage("not hexadecimal");
  return decodeAny(schema, hexToBytes(hex)) as MessageOf<Of>;
}

type Cursor = { readonly bytes: Uint8Array; at: number };

function decodeAny(schema: Schema, bytes: Uint8Array): AnyMessage {
  const names = new Map(Object.entries(schema).map(([name, field]) => [field[0], { name, field }]));
  const message: Record<string, unknown> = {};
  const cursor: Cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const key = Number(readVarint(cursor));
    const raw = readRaw(cursor, key % 8);
    const known = names.get(Math.floor(key / 8));
    if (known === undefined) continue;
    const [, kind, repeated] = known.field;
    const value = decodeValue(kind, raw);
    if (repeated === undefined) message[known.name] = value;
    else message[known.name] = [...((message[known.name] ?? []) as unknown[]), value];
  }
  return message;
}

function readRaw(cursor: Cursor, type: number): bigint | Uint8Array {
  if (type === varint) return readVarint(cursor);
  if (type === delimited) return take(cursor, Number(readVarint(cursor)));
  if (type === fixed64) return take(cursor, 8);
  if (type === fixed32) return take(cursor, 4);
  throw new MalformedMessage(`wire type ${type}`);
}

function take(cursor: Cursor, length: number): Uint8Array {
  const end = cursor.at + length;
  if (!Number.isSafeInteger(end) || end > cursor.bytes.length)
    throw new MalformedMessage("cut off");
  const taken = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return taken;
}

function readVarint(cursor: Cursor): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const [byte] = take(cursor, 1);
    value |= BigInt(present(byte, "a byte") & 0x7f) << shift;
    if (present(byte, "a byte") < 0x80) return BigInt.asIntN(64, value);
  }
  throw new MalformedMessage("a number of more than 64 bits");
}

function decodeValue(kind: FieldKind | Schema, raw: bigint | Uint8Array): unknown {
  if (typeof raw === "bigint") {
    if (kind === "int") return raw;
    if (kind === "bool") return raw !== 0n;
    if (typeof kind === "object" && !isSchema(kind)) return nameOf(kind, raw);
  } else {
    if (kind === "string") return new TextDecoder().decode(raw);
    if (kind === "bytes" || kind === "address" || kind === "name") return bytesToHex(raw);
    if (typeof kind === "object" && isSchema(kind)) return decodeAny(kind, raw);
  }
  throw new MalformedMessage("a value of another type");
}

function nameOf(names: Enumeration, value: bigint): string {
  for (const [name, number] of Object.entries(names)) if (BigInt(number) === value) return name;
  throw new MalformedMessage(`no name for ${value}`);
}
