import { isAscii } from "node:buffer";

/** Inside a document, a number literal that a double may not hold as written: one with a fraction, an exponent or sixteen digits. */
const inexactInside = /[:,[]\s*-?(?:\d+[.eE]|\d{16})/;
/** The same as the whole document. Apart, because an expression that may also match the beginning is searched for 20 times as slowly. */
const inexactAlone = /^\s*-?(?:\d+[.eE]|\d{16})/;

/** A string of more characters is cut out of the text, where it is among the first ones: `JSON.parse` copies it one by one. */
const longFrom = 65_536;
const examinedMax = 200;

/**
 * Parses JSON without ever passing an amount through a double: a number that is not an integer within ±2^53 becomes a string of
 * its source text (`0.10000000` as `"0.10000000"`). Throws `SyntaxError` for anything but JSON; inside a long string, such as a raw
 * block, control characters are let pass.
 * A reviver slows parsing several times, so it runs only if the text contains such a number, or for what surrounds a long string.
 */
export function parseJson(text: string): unknown {
  const cut = withoutLongString(text);
  if (cut !== null) return JSON.parse(cut.rest, restoring(cut.long));
  return inexactInside.test(text) || inexactAlone.test(text)
    ? JSON.parse(text, exactNumber)
    : JSON.parse(text);
}

/** The text of a document. Most are ASCII, which is copied several times as fast as UTF-8 is decoded. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** Stands for the long string. A text without escapes cannot contain it. */
const placeholder = "\u0000";

/**
 * The text with the placeholder instead of its first long string; null if it has escapes, no such string among its first ones, or more
 * beside that string, which the reviver would slow down.
 */
function withoutLongString(text: string): { readonly rest: string; readonly long: string } | null {
  if (text.length < longFrom || text.includes("\\")) return null;
  let from = text.indexOf('"');
  for (let examined = 0; from !== -1 && examined < examinedMax; examined += 1) {
    const to = text.indexOf('"', from + 1);
    if (to === -1) return null;
    if (to - from > longFrom) {
      if (text.length - (to - from) > to - from) return null;
      const behind = text.slice(to + 1);
      // The name of a member is not replaced.
      if (behind.trimStart().startsWith(":")) return null;
      const rest = text.slice(0, from) + JSON.stringify(placeholder) + behind;
      return { rest, long: text.slice(from + 1, to) };
    }
    from = text.indexOf('"', to + 1);
  }
  return null;
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

function restoring(long: string): Reviver {
  return (key, value, context) => (value === placeholder ? long : exactNumber(key, value, context));
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return /^-?\d+$/.test(context.source) && Number.isSafeInteger(value) ? value : context.source;
}
