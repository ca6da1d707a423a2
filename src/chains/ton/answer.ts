import { Cell } from "@ton/core";
import { Malformed, readText } from "../rpc/answer.ts";

/*
 * Parsers for the members of a toncenter answer (`result`). Hashes are base64, logical times and amounts decimal text, cells bags of cells
 * in base64. Each parser throws `Malformed` for anything else.
 */

/** 32 bytes in base64, as lower-case hexadecimal. */
export function readHash(value: unknown): string {
  const text = readText(value);
  const hex = Buffer.from(text, "base64").toString("hex");
  if (!/^[A-Za-z0-9+/_=-]{43,44}$/.test(text) || hex.length !== 64) throw new Malformed("no hash");
  return hex;
}

/** A whole number of at most 64 bits, as text or as a number. */
export function readBigInt(value: unknown): bigint {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^\d{1,20}$/.test(text)) throw new Malformed("no number");
  return BigInt(text);
}

export function readInteger(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new Malformed("no integer");
  return value;
}

/** The root of a bag of cells. */
export function readCell(value: unknown): Cell {
  try {
    return Cell.fromBase64(readText(value));
  } catch {
    throw new Malformed("no bag of cells");
  }
}
