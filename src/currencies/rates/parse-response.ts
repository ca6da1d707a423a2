import { Unavailable } from "../../platform/kernel/unavailable.ts";

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Parses a source's JSON with numbers as their literal text, so no price passes through a double. Throws
 * `Unavailable` with the source's name if the text is not JSON.
 */
export function parseResponse(source: string, text: string): unknown {
  const asText: Reviver = (_key, value, context) =>
    typeof value === "number" ? context.source : value;
  try {
    return JSON.parse(text, asText as Parameters<typeof JSON.parse>[1]);
  } catch (error) {
    throw new Unavailable(source, "did not send JSON", error);
  }
}

/** An own member of an object, otherwise undefined, so malformed responses read as missing values. */
export function member(value: unknown, name: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}

/** The response is JSON, but not in the form that the source documents. */
export function unexpectedResponse(source: string): Unavailable {
  return new Unavailable(source, "sent an unexpected response");
}
