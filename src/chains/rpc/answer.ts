/** A node's answer does not have the requested form. */
export class Malformed extends Error {
  override readonly name = "Malformed";
}

export type Fields = Readonly<Record<string, unknown>>;

/** Parses an object and returns its members. Throws `Malformed` for anything else. */
export function readFields(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Malformed("no object");
  return value as Fields;
}

/** Parses an array of any elements. Throws `Malformed` for anything else. */
export function readList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Malformed("no list");
  return value;
}

/** A string of any length. Throws `Malformed` for anything else. */
export function readText(value: unknown): string {
  if (typeof value !== "string") throw new Malformed("no text");
  return value;
}
