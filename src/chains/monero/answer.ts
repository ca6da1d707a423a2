import { Malformed, readText } from "../rpc/answer.ts";

/*
 * Parsers for the members of a monerod answer. Each parser throws `Malformed` for anything else.
 */

/** A list; monerod leaves empty ones out. */
export function readList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Malformed("no list");
  return value;
}

/** 32 bytes in lower-case hexadecimal. */
export function readHash(value: unknown): string {
  const text = readText(value);
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Malformed("no hash");
  return text;
}

export function readBytes(value: unknown): Uint8Array {
  const text = readText(value);
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new Malformed("no bytes in hexadecimal");
  return Buffer.from(text, "hex");
}

/** An integer that is at least 0 and that a double holds exactly. */
export function readNumber(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Malformed("no number");
}

/** An amount of units: `parseJson` makes text of those that a double does not hold exactly. */
export function readUnits(value: unknown): bigint {
  if (typeof value === "string" && /^\d{16,20}$/.test(value)) return BigInt(value);
  return BigInt(readNumber(value));
}
