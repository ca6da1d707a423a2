/*
 * Parsers for the members of a monerod answer. Each parser throws `Malformed` for anything else.
 */

/** A node's answer does not have the requested form. */
export class Malformed extends Error {
  override readonly name = "Malformed";
}

export type Fields = Readonly<Record<string, unknown>>;

export function readFields(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Malformed("no object");
  return value as Fields;
}

/** A list; monerod leaves empty ones out. */
export function readList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Malformed("no list");
  return value;
}

export function readText(value: unknown): string {
  if (typeof value !== "string") throw new Malformed("no text");
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
