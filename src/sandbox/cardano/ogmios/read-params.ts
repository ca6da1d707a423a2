import type { JsonObject, JsonValue } from "../../../platform/kernel/json.ts";
import { readAddress } from "../address.ts";
import { unhex } from "../hash.ts";
import { code, Refusal } from "../refusal.ts";
import type { OutputReference } from "../transaction.ts";

/** A block's slot and id, or the beginning. */
export type Point = "origin" | { readonly slot: number; readonly id: string };

const id32 = /^[0-9a-f]{64}$/i;

function wrong(text: string): Refusal {
  return new Refusal(code.invalidRequest, `Invalid request: ${text}.`);
}

/** The readers throw `Refusal`, as Ogmios refuses what it cannot parse. */
export function readPoint(value: JsonValue | undefined): Point {
  if (value === "origin") return value;
  if (isObject(value)) {
    const { id, slot } = value;
    if (typeof slot === "number" && typeof id === "string" && id32.test(id)) return { slot, id };
  }
  throw wrong('a point is "origin" or has slot and id');
}

export function readPoints(value: JsonValue | undefined): readonly Point[] {
  return readList(value, "points").map(readPoint);
}

export function readAddresses(value: JsonValue): readonly Uint8Array[] {
  return readList(value, "addresses").map((text) => {
    const address = typeof text === "string" ? readAddress(text) : null;
    if (address === null) throw wrong(`${JSON.stringify(text)} is no address`);
    return address;
  });
}

export function readReferences(value: JsonValue): readonly OutputReference[] {
  return readList(value, "outputReferences").map(readReference);
}

function readReference(value: JsonValue): OutputReference {
  if (isObject(value)) {
    const { index, transaction } = value;
    if (typeof index === "number" && isObject(transaction))
      return { txid: readId(transaction["id"]), index };
  }
  throw wrong("an output reference has transaction.id and index");
}

export function readId(value: JsonValue | undefined): string {
  if (typeof value !== "string" || !id32.test(value))
    throw wrong("an id has 64 hexadecimal digits");
  return value.toLowerCase();
}

/** The bytes of `transaction.cbor`. */
export function readTransactionBytes({ transaction }: JsonObject): Uint8Array {
  const cbor = isObject(transaction) ? transaction["cbor"] : undefined;
  if (typeof cbor !== "string" || !/^(?:[0-9a-f]{2})+$/i.test(cbor))
    throw wrong("transaction.cbor is a text of hexadecimal digits");
  return unhex(cbor);
}

function readList(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  if (!Array.isArray(value)) throw wrong(`${name} is a list`);
  return value as readonly JsonValue[];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
