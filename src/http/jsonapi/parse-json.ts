import { reject } from "../../platform/kernel/rejection.ts";
import { repeatedMember } from "./repeated-member.ts";

/** A JSON number as written, so that an amount never becomes a double. */
export class NumberLiteral {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

const depthMax = 32;
const mayHoldNumber = /[:[,]\s*-?\d|^\s*-?\d/;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a body; each number becomes a `NumberLiteral`. Rejects with `parseError` a body that is not UTF-8 or not JSON, is nested
 * too deeply, or repeats a member of an object.
 */
export function parseJson(body: Uint8Array): unknown {
  const text = decode(body);
  if (isDeeperThan(text, depthMax))
    reject("parseError", `The document is nested more than ${depthMax} levels deep.`);
  const parsed = parse(text);
  const repeated = repeatedMember(text);
  if (repeated !== null)
    reject("parseError", `An object has the member ${quoted(repeated)} twice; send it once.`);
  return parsed;
}

function parse(text: string): unknown {
  try {
    // Most documents carry amounts as strings; without numbers the faster parser suffices.
    return mayHoldNumber.test(text) ? JSON.parse(text, keepSource) : JSON.parse(text);
  } catch {
    return reject("parseError", "The request body is not valid JSON.");
  }
}

/** A caller's text inside our sentence, short and printable. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 64)).replaceAll(/[^\x20-\x7e]/g, "?");
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    return reject("parseError", "The request body is not valid UTF-8.");
  }
}

function keepSource(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? new NumberLiteral(context?.source ?? String(value)) : value;
}

/** Counts brackets outside strings, before the parser sees them. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === 0x5c) index += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return false;
}
