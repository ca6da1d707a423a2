import {
  bytesOf,
  CborError,
  decode,
  type Encodable,
  encode,
  hexOf,
  type Item,
  intOf,
  listOf,
} from "./cbor.ts";
import { hash224, hex } from "./hash.ts";
import type { Printable } from "./print-json.ts";

const languages = ["native", "plutus:v1", "plutus:v2", "plutus:v3"] as const;
export type Language = (typeof languages)[number];

export type Script = {
  readonly language: Language;
  /** Of a native script its CBOR, of a Plutus script the bytes in the CBOR. */
  readonly bytes: Uint8Array;
};

export function languageAt(number: number): Language {
  const language = languages[number];
  if (language === undefined) throw new CborError(`there is no script language ${number}`);
  return language;
}

/** A script reference: its language's number and itself. */
export function readScript(item: Item): Script {
  const [number, script] = listOf(item);
  if (number === undefined || script === undefined) throw new CborError("a script has two items");
  const language = languageAt(Number(intOf(number)));
  return { language, bytes: language === "native" ? script.raw : bytesOf(script) };
}

export function encodableScript({ bytes, language }: Script): Encodable {
  return [languages.indexOf(language), language === "native" ? { raw: bytes } : bytes];
}

/** In bytes; in hex it is the policy of assets that the script mints. */
export function scriptHash({ bytes, language }: Script): Uint8Array {
  return hash224(Uint8Array.of(languages.indexOf(language)), bytes);
}

/** The native script that a key has to sign for. */
export function signatureScript(keyHash: Uint8Array): Script {
  return { language: "native", bytes: encode([0, keyHash]) };
}

/** A script as Ogmios prints it. */
export function printScript({ bytes, language }: Script): Printable {
  return language === "native"
    ? { language, json: printClause(decode(bytes)), cbor: hex(bytes) }
    : { language, cbor: hex(bytes) };
}

function printClause(item: Item): Printable {
  const [kind, first, second] = listOf(item);
  if (kind === undefined || first === undefined) throw new CborError("a native script is cut off");
  const all = (list: Item): Printable => listOf(list).map(printClause);
  switch (intOf(kind)) {
    case 0n:
      return { clause: "signature", from: hexOf(first) };
    case 1n:
      return { clause: "all", from: all(first) };
    case 2n:
      return { clause: "any", from: all(first) };
    case 3n:
      if (second === undefined) throw new CborError("a native script is cut off");
      return { clause: "some", atLeast: intOf(first), from: all(second) };
    case 4n:
      return { clause: "after", slot: intOf(first) };
    case 5n:
      return { clause: "before", slot: intOf(first) };
    default:
      throw new CborError("a native script has an unknown clause");
  }
}
