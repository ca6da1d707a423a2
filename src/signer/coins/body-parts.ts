import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";

/* Parsers for the parts of a draft's body. Each throws `DraftRefused` for anything else, naming `what` it lacks. */

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value's members, which must be exactly these. */
export function membersOf(value: JsonValue | undefined, names: readonly string[]): JsonObject {
  if (!isObject(value)) throw new DraftRefused("a part of the draft is missing");
  const found = Object.keys(value);
  if (found.length !== names.length || !names.every((name) => Object.hasOwn(value, name)))
    throw new DraftRefused(`has the members ${found.join()} instead of ${names.join()}`);
  return value;
}

/** A list of at least one element. */
export function listOf(value: JsonValue | undefined, what: string): readonly JsonValue[] {
  if (!Array.isArray(value) || value.length === 0) throw new DraftRefused(`no ${what}`);
  return value as readonly JsonValue[];
}

/** An integer from 0 to below `end`. */
export function numberBelow(value: JsonValue | undefined, end: number, what: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value >= end)
    throw new DraftRefused(`${what} is out of range`);
  return value;
}

export function matched(value: JsonValue | undefined, pattern: RegExp, what: string): string {
  if (typeof value !== "string" || !pattern.test(value))
    throw new DraftRefused(`${what} is malformed`);
  return value;
}

/** A positive amount as decimal text. */
export function unitsOf(value: JsonValue | undefined, unitsMax: bigint): bigint {
  const units = BigInt(matched(value, /^[1-9]\d{0,19}$/, "an amount"));
  if (units > unitsMax) throw new DraftRefused("an amount above the supply");
  return units;
}
