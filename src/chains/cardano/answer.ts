import { Malformed, readFields } from "../rpc/answer.ts";

/*
 * Parsers for the members of the answers of Ogmios and Kupo. Each parser throws `Malformed` for anything else.
 */

/** A hash of 32 bytes in lower-case hexadecimal: the id of a block or a transaction. */
export function readHash(value: unknown): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/.test(value)) throw new Malformed("no hash");
  return value;
}

/** An integer from 0 to 2^53: a slot, a height, an index, a size. */
export function readNumber(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw new Malformed("no number");
  return value;
}

/** An amount of 64 bits, at least 0. Numbers that a double cannot hold are text. */
export function readUnits(value: unknown): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === "string" && /^\d{1,20}$/.test(value) && BigInt(value) < 2n ** 64n)
    return BigInt(value);
  throw new Malformed("no amount");
}

/** `{ ada: { lovelace } }` */
export function readLovelace(value: unknown): bigint {
  return readUnits(readFields(readFields(value)["ada"])["lovelace"]);
}
