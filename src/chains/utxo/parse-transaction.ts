import { hash } from "node:crypto";
import type { TransactionFormat } from "../../currencies/utxo-facts.ts";
import { tokenPrefixLength } from "./token-prefix.ts";

/** The bytes are not a transaction or block of this family. */
export class MalformedBytes extends Error {
  override readonly name = "MalformedBytes";
}

/** A position in the bytes that advances as they are read. */
export type Cursor = { readonly bytes: Buffer; at: number };

export type RawOutput = {
  readonly units: bigint;
  readonly scriptAt: number;
  readonly scriptLength: number;
  /** The position of the category of its tokens; absent without any. */
  readonly tokensAt?: number;
};

/** The positions of a transaction's parts; nothing is copied. */
export type RawTransaction = {
  readonly startsAt: number;
  /** From the count of inputs to the end of the outputs; with version and lock time, these bytes are hashed into the id. */
  readonly bodyAt: number;
  readonly bodyEnd: number;
  readonly inputs: readonly number[];
  readonly outputs: readonly RawOutput[];
  /** The extended format's flags, 0 for the plain format. */
  readonly flags: number;
};

/** BIP144. */
const witnessFlag = 1;
/** DIP-2: from this version on, a transaction of a type carries a payload. */
const payloadVersionMin = 3;
/** Litecoin's flag for transactions that carry, or (in a block) settle, MimbleWimble extension data. */
export const extensionFlag = 8;
const outpointLength = 36;

/** Separates the script of an output from the tokens before it. */
function withoutTokens(bytes: Buffer, output: RawOutput): RawOutput {
  const { scriptAt, scriptLength } = output;
  const length = tokenPrefixLength(bytes.subarray(scriptAt, scriptAt + scriptLength));
  if (length === 0) return output;
  return {
    units: output.units,
    scriptAt: scriptAt + length,
    scriptLength: scriptLength - length,
    tokensAt: scriptAt + 1,
  };
}

/** Parses a transaction up to the end of its outputs and leaves the cursor there: a payee needs no more. */
export function readTransactionHead(cursor: Cursor, format: TransactionFormat): RawTransaction {
  const startsAt = cursor.at;
  skip(cursor, 4);
  let flags = 0;
  // A count of 0 inputs is the marker of the extended format, since no plain transaction has it. Those with a type may.
  if (format === "flagged" && cursor.bytes[cursor.at] === 0) {
    flags = cursor.bytes[cursor.at + 1] ?? 0;
    if (flags === 0 || (flags & ~(witnessFlag | extensionFlag)) !== 0)
      throw new MalformedBytes(`a transaction with the flags ${flags}`);
    skip(cursor, 2);
  }
  const bodyAt = cursor.at;
  const inputs: number[] = [];
  for (let left = readCount(cursor); left > 0; left -= 1) {
    inputs.push(cursor.at);
    skip(cursor, outpointLength);
    skip(cursor, readCount(cursor));
    skip(cursor, 4);
  }
  const outputs: RawOutput[] = [];
  for (let left = readCount(cursor); left > 0; left -= 1) {
    const valueAt = cursor.at;
    skip(cursor, 8);
    const scriptLength = readCount(cursor);
    const scriptAt = cursor.at;
    skip(cursor, scriptLength);
    const output = { units: cursor.bytes.readBigUInt64LE(valueAt), scriptAt, scriptLength };
    outputs.push(format === "tokens" ? withoutTokens(cursor.bytes, output) : output);
  }
  return { startsAt, bodyAt, bodyEnd: cursor.at, inputs, outputs, flags };
}

/**
 * Parses a whole transaction of a block and leaves the cursor behind it. Inside blocks, MimbleWimble data is separate from the
 * transactions, so a flag of 8 adds only one zero byte here.
 */
export function readTransaction(cursor: Cursor, format: TransactionFormat): RawTransaction {
  const transaction = readTransactionHead(cursor, format);
  if ((transaction.flags & witnessFlag) !== 0) {
    for (let inputs = transaction.inputs.length; inputs > 0; inputs -= 1)
      for (let items = readCount(cursor); items > 0; items -= 1) skip(cursor, readCount(cursor));
  }
  if ((transaction.flags & extensionFlag) !== 0) {
    if (cursor.bytes[cursor.at] !== 0)
      throw new MalformedBytes("a transaction in a block with extension data of its own");
    skip(cursor, 1);
  }
  skip(cursor, 4);
  if (format === "typed" && hasPayload(cursor.bytes, transaction.startsAt))
    skip(cursor, readCount(cursor));
  return transaction;
}

/** The upper half of the version is the type; 0 is an ordinary transaction. */
function hasPayload(bytes: Buffer, startsAt: number): boolean {
  return (
    bytes.readUInt16LE(startsAt) >= payloadVersionMin && bytes.readUInt16LE(startsAt + 2) !== 0
  );
}

/**
 * The id, in the chain's byte order, of a transaction that ends at `end`: the hash without witness and flags, see `doubleHash`.
 */
export function transactionHash(bytes: Buffer, transaction: RawTransaction, end: number): string {
  return doubleHash(plainBytes(bytes, transaction, end));
}

/** A whole transaction in the plain format, whose hash is its id. Throws `MalformedBytes` for anything else. */
export function plainTransaction(bytes: Buffer, format: TransactionFormat): Buffer {
  // Outside a block, extension data precedes the lock time, which is last in all transactions with flags.
  return plainBytes(bytes, readTransactionHead({ bytes, at: 0 }, format), bytes.length);
}

function plainBytes(bytes: Buffer, transaction: RawTransaction, end: number): Buffer {
  const { startsAt, bodyAt, bodyEnd } = transaction;
  if (transaction.flags === 0) return bytes.subarray(startsAt, end);
  const plain = Buffer.allocUnsafe(8 + bodyEnd - bodyAt);
  bytes.copy(plain, 0, startsAt, startsAt + 4);
  bytes.copy(plain, 4, bodyAt, bodyEnd);
  bytes.copy(plain, plain.length - 4, end - 4, end);
  return plain;
}

/** The category of tokens, which is a transaction's id. */
export function categoryAt(bytes: Buffer, tokensAt: number): string {
  return idText(bytes.subarray(tokensAt, tokensAt + 32));
}

/** `txid:vout` of the input at `inputAt`. */
export function outpointAt(bytes: Buffer, inputAt: number): string {
  const txid = idText(bytes.subarray(inputAt, inputAt + 32));
  return `${txid}:${bytes.readUInt32LE(inputAt + 32)}`;
}

/** SHA-256 twice, as a string of one character per byte: Node creates that in less than half the time of a buffer. */
export function doubleHash(bytes: Buffer): string {
  return hash("sha256", Buffer.from(hash("sha256", bytes, "binary"), "binary"), "binary");
}

/** Hashes are displayed with their bytes reversed. */
export function idText(bytes: Buffer): string {
  return Buffer.from(bytes).reverse().toString("hex");
}

/** The family's variable-length count. */
export function readCount(cursor: Cursor): number {
  const { bytes, at } = cursor;
  const first = bytes[at];
  if (first === undefined) throw new MalformedBytes("the bytes end too early");
  skip(cursor, 1);
  if (first < 0xfd) return first;
  const length = first === 0xfd ? 2 : first === 0xfe ? 4 : 8;
  skip(cursor, length);
  if (length === 8) throw new MalformedBytes("a count beyond any block");
  return bytes.readUIntLE(at + 1, length);
}

/** Skips that many bytes; throws `MalformedBytes` when there are fewer. */
export function skip(cursor: Cursor, length: number): void {
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) throw new MalformedBytes("the bytes end too early");
}
