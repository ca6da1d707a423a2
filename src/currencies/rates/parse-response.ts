import { Unavailable } from "../../platform/kernel/unavailable.ts";

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Reads a source's JSON with every number as its literal source text, so that no price passes through a double. Throws
 * `Unavailable` in the source's name for a text that is no JSON.
 */
export function parseResponse(source: string, text: string): unknown {
  const asText: Reviver = (_key, value, context) =>
    typeof value === "number" ? context.source : value;
  try {
    return JSON.parse(text, asText as Parameters<typeof JSON.parse>[1]);
  } catch (error) {
    throw new Unavailable(source, "answered with no JSON", error);
  }
}

/** An own member of an object; undefined for anything else, so that hostile shapes fall through to "not there". */
export function member(value: unknown, name: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}

/** The answer was JSON, but not of the form that the source documents. */
export function unexpectedResponse(source: string): Unavailable {
  return new Unavailable(source, "answered in an unexpected form");
}
