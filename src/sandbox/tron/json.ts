import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { fromBase58, toBase58 } from "./address.ts";
import {
  type AnyMessage,
  type FieldKind,
  isDefault,
  isSchema,
  type MessageOf,
  type Schema,
} from "./wire.ts";

/** JSON whose integers are `bigint`, since node answers contain 64-bit integers. */
export type Json =
  | bigint
  | number
  | string
  | boolean
  | null
  | readonly Json[]
  | { readonly [member: string]: Json };
export type JsonRecord = { readonly [member: string]: Json };

/** An exception that a node names in its answer, such as `java.lang.NullPointerException`. */
export class NodeException extends Error {
  override readonly name = "NodeException";
  readonly className: string;

  constructor(className: string, message: string) {
    super(message);
    this.className = className;
  }
}

/** The exception for JSON that a node cannot parse as a message. */
export function unreadable(message: string): NodeException {
  return new NodeException("org.tron.core.services.http.JsonFormat$ParseException", message);
}

// TypeScript's library types lack `JSON.rawJSON`.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Prints JSON text, `bigint` as integers of any length. */
export function printJson(value: Json): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "bigint" ? rawJSON(member.toString()) : member,
  );
}

/** Parses JSON text, integers of any length as `bigint`. Throws `SyntaxError`. */
export function parseJsonText(text: string): Json {
  const revive = (_: string, value: unknown, { source }: { readonly source?: string }): unknown =>
    typeof value === "number" && source !== undefined && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as Json;
}

export function isRecord(value: Json | undefined): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A message as java-tron prints it: defaults left out, enumerations by name, addresses as base58 if `visible`. */
export function printMessage<Of extends Schema>(
  schema: Of,
  message: MessageOf<Of>,
  visible: boolean,
): JsonRecord {
  return printAny(schema, message, visible);
}

function printAny(schema: Schema, message: AnyMessage, visible: boolean): JsonRecord {
  const printed: Record<string, Json> = {};
  for (const [name, [, kind, repeated]] of Object.entries(schema)) {
    const value = message[name];
    if (value === undefined) continue;
    if (repeated === undefined) {
      if (!isDefault(kind, value)) printed[name] = printValue(kind, value, visible);
    } else {
      const items = value as readonly unknown[];
      if (items.length > 0) printed[name] = items.map((item) => printValue(kind, item, visible));
    }
  }
  return printed;
}

function printValue(kind: FieldKind | Schema, value: unknown, visible: boolean): Json {
  if (typeof kind === "object" && isSchema(kind))
    return printAny(kind, value as AnyMessage, visible);
  if (visible && kind === "address") return toBase58(value as string);
  if (visible && kind === "name") return new TextDecoder().decode(hexToBytes(value as string));
  return value as Json;
}

/** Reads a message from JSON as java-tron does; members that the schema does not name are ignored. Throws `NodeException`. */
export function readMessage<Of extends Schema>(
  schema: Of,
  json: JsonRecord,
  visible: boolean,
): MessageOf<Of> {
  return readAny(schema, json, visible) as MessageOf<Of>;
}

function readAny(schema: Schema, json: JsonRecord, visible: boolean): AnyMessage {
  const message: Record<string, unknown> = {};
  for (const [name, [, kind, repeated]] of Object.entries(schema)) {
    const value = json[name];
    if (value === undefined || value === null) continue;
    if (repeated === undefined) message[name] = readValue(name, kind, value, visible);
    else if (Array.isArray(value))
      message[name] = value.map((item: Json) => readValue(name, kind, item, visible));
    else throw unreadable(`Expected "[" in ${name}.`);
  }
  return message;
}

function readValue(name: string, kind: FieldKind | Schema, value: Json, visible: boolean): unknown {
  if (kind === "int" && typeof value === "bigint") return BigInt.asIntN(64, value);
  if (kind === "bool" && typeof value === "boolean") return value;
  if (typeof kind === "object" && isSchema(kind) && isRecord(value))
    return readAny(kind, value, visible);
  if (typeof value === "string") return readText(name, kind, value, visible);
  throw unreadable(`Unexpected value of ${name}.`);
}

function readText(name: string, kind: FieldKind | Schema, text: string, visible: boolean): unknown {
  if (kind === "string") return text;
  if (kind === "name" && visible) return bytesToHex(utf8ToBytes(text));
  if (kind === "address" && visible) return readBase58(text);
  if (kind === "bytes" || kind === "address" || kind === "name") return readHex(text);
  if (typeof kind === "object" && !isSchema(kind)) {
    // The node accepts `bandwidth` and `energy` of neither case, and `function` of an ABI in lower case.
    const found = /^[a-z]+$/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
    if (kind[found] !== undefined) return found;
  }
  throw unreadable(`${name} has no value named "${text}".`);
}

/** An address in base58. java-tron decodes a wrong checksum to null, which it does not expect. */
export function readBase58(text: string): string {
  if (!/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) throw unreadable("INVALID base58 String");
  const bytes = fromBase58(text);
  if (bytes === null) throw new NodeException("java.lang.NullPointerException", "null");
  return bytes;
}

/** Reads bytes in hexadecimal as java-tron does: a leading `0x` is dropped, and an odd number of digits gets a leading zero. */
export function readHex(text: string): string {
  const digits = text.replace(/^0x/i, "").toLowerCase();
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  if (!/^[0-9a-f]*$/.test(even)) throw unreadable("INVALID hex String");
  return even;
}
