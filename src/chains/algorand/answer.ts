import { Malformed } from "../rpc/answer.ts";

/*
 * Parsers for the members of an algod answer in JSON. Each parser throws `Malformed` for anything else.
 */

/** An integer of 64 bits that is at least 0; 0 if it is left out. Numbers that a double cannot hold are text. */
export function readUnits(value: unknown): bigint {
  if (value === undefined) return 0n;
  if (typeof value === "bigint" && value >= 0n) return value;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === "string" && /^\d{1,20}$/.test(value) && BigInt(value) < 2n ** 64n)
    return BigInt(value);
  throw new Malformed("no amount");
}

/** The number of a round. */
export function readRound(value: unknown): number {
  const round = Number(readUnits(value));
  if (!Number.isSafeInteger(round)) throw new Malformed("a round beyond 2^53");
  return round;
}
