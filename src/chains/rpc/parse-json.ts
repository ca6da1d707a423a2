/** A number literal that a double may not hold as written: one with a fraction, an exponent or sixteen digits. */
const inexactNumber = /(?:^|[:,[])\s*-?(?:\d+[.eE]|\d{16})/;

/**
 * Parses JSON without ever passing an amount through a double: a number that is not an integer within ±2^53 becomes a string of
 * its source text (`0.10000000` as `"0.10000000"`). Throws `SyntaxError` for anything but JSON.
 * A reviver slows parsing several times, so it runs only if the text contains such a number: raw blocks and EVM answers (all
 * hex strings) are parsed without it.
 */
export function parseJson(text: string): unknown {
  return inexactNumber.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return /^-?\d+$/.test(context.source) && Number.isSafeInteger(value) ? value : context.source;
}
