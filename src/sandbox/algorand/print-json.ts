import { addressText, digestText } from "./address.ts";
import { isList, isMap, type Value, type ValueMap } from "./msgpack.ts";

/** The members that contain accounts; other bytes are printed in base64. */
const accountMembers: ReadonlySet<string> = new Set([
  "snd",
  "sgnr",
  "rekey",
  "rcv",
  "close",
  "asnd",
  "arcv",
  "aclose",
  "fadd",
  "apat",
  "m",
  "r",
  "f",
  "c",
  "fees",
  "rwd",
  "prp",
]);

/** A value of the protocol as the node prints it in JSON. */
function forJson(value: Value, name = ""): Value {
  if (value instanceof Uint8Array) {
    if (name === "prev") return `blk-${digestText(value)}`;
    return accountMembers.has(name) ? addressText(value) : Buffer.from(value).toString("base64");
  }
  if (isList(value)) return value.map((item) => forJson(item, name));
  if (value instanceof Map)
    return Object.fromEntries(
      [...(value as ReadonlyMap<bigint, Value>)].map(([key, entry]) => [
        String(key),
        forJson(entry),
      ]),
    );
  if (!isMap(value)) return value;
  const members = Object.entries(value).filter(
    (member): member is [string, Value] => member[1] !== undefined,
  );
  return Object.fromEntries(members.map(([key, member]) => [key, forJson(member, key)]));
}

/** JSON with integers of any size as numbers, which `JSON.stringify` cannot print. */
export function jsonText(value: Value): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(jsonText).join(",")}]`;
  const members = Object.entries(forJson(value) as ValueMap)
    .filter((member): member is [string, Value] => member[1] !== undefined)
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(",")}}`;
}
