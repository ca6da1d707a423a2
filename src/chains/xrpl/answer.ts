import { Malformed, readText } from "../rpc/answer.ts";

/*
 * Parsers for the members of a rippled answer (`result`). Amounts of XRP are decimal text in drops; amounts of issued currencies are
 * objects. Each parser throws `Malformed` for anything else.
 */

/** 32 bytes in upper-case hexadecimal, as the ledger's tools write them. */
export function readHash(value: unknown): string {
  const text = readText(value).toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(text)) throw new Malformed("no hash");
  return text;
}

/** XRP in drops: decimal text, at least 0. */
export function readDrops(value: unknown): bigint {
  const drops = dropsIn(value);
  if (drops === null) throw new Malformed("no drops");
  return drops;
}

/** XRP in drops, in 64 bits; null for an amount of an issued currency, and for none. */
export function dropsIn(value: unknown): bigint | null {
  if (typeof value !== "string" || !/^\d{1,20}$/.test(value)) return null;
  const drops = BigInt(value);
  return drops < 2n ** 64n ? drops : null;
}

/** A whole number of at most 32 bits; nodes with API version 1 write a ledger's own index as text. */
export function readUint32(value: unknown): number {
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number) || number < 0 || number >= 2 ** 32)
    throw new Malformed("no number of 32 bits");
  return number;
}

export function readByte(value: unknown): number {
  const byte = readUint32(value);
  if (byte > 255) throw new Malformed("no byte");
  return byte;
}
