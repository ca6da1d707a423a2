import { parseJson } from "../../../src/chains/rpc/parse-json.ts";

/** A parser of foreign bytes, as the fuzzer sees it. */
export type Target = {
  readonly name: string;
  /** Which mutations fit: `json` also changes members and elements, `text` inserts words, `bytes` changes bytes only. */
  readonly form: "bytes" | "text" | "json";
  /** Valid inputs to start from. */
  readonly seeds: () => readonly (string | Uint8Array)[];
  /** Texts that the parser looks for, to insert. */
  readonly words?: readonly string[];
  /** Parses the input. Throws only for a defect: a rejection that the parser documents is a correct outcome. */
  readonly run: (input: Uint8Array) => unknown;
};

type ErrorClass = abstract new (...args: never[]) => Error;

/** Returns what `parse` returns; null if it rejects the input with one of these errors. Any other error is a defect. */
export function rejecting<Value>(errors: readonly ErrorClass[], parse: () => Value): Value | null {
  try {
    return parse();
  } catch (error) {
    if (errors.some((one) => error instanceof one)) return null;
    throw error;
  }
}

/** The same for a parser that answers later. */
export async function rejectingLater<Value>(
  errors: readonly ErrorClass[],
  parse: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await parse();
  } catch (error) {
    if (errors.some((one) => error instanceof one)) return null;
    throw error;
  }
}

const utf8 = new TextDecoder();

/** The input as a text; bytes that are not UTF-8 become replacement characters, as in a decoded response. */
export function textOf(input: Uint8Array): string {
  return utf8.decode(input);
}

/** The input as parsed JSON; undefined for anything else, which never reaches a parser behind a JSON parser. */
export function jsonOf(input: Uint8Array, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(textOf(input));
  } catch {
    return undefined;
  }
}

/** The input as the document that a node's transport parsed: numbers that a double cannot hold are strings. */
export function documentOf(input: Uint8Array): unknown {
  return jsonOf(input, parseJson);
}
