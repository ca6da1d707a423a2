import { Malformed, readText } from "../rpc/answer.ts";

/*
 * Parsers for the members of a stellar-rpc answer (`result`). Ledgers, transactions and entries are XDR in base64. Each parser throws
 * `Malformed` for anything else.
 */

/** The number of a ledger, of at most 32 bits; some members write it as text. */
export function readHeight(value: unknown): number {
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number) || number < 0 || number >= 2 ** 32)
    throw new Malformed("no number of a ledger");
  return number;
}

/** Reads XDR in base64; the library's errors become `Malformed`. */
export function readXdr<Value>(read: (text: string) => Value, value: unknown): Value {
  const text = readText(value);
  try {
    return read(text);
  } catch (error) {
    throw new Malformed("no XDR of that type", { cause: error });
  }
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
