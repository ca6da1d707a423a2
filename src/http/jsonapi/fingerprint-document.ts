import { createHash } from "node:crypto";
import { NumberLiteral } from "./parse-json.ts";

/**
 * SHA-256 of a parsed body (see `parse-json.ts`) in canonical form: members sorted by name, numbers as written. Detects whether a
 * repeated request is the same.
 */
export function fingerprintDocument(body: unknown): Uint8Array {
  return new Uint8Array(createHash("sha256").update(canonicalJson(body)).digest());
}

/** JSON text of a parsed value, equal for values with equal meaning. */
export function canonicalJson(value: unknown): string {
  if (value instanceof NumberLiteral) return value.source;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}
