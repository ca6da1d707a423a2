import { hash } from "node:crypto";

/** The bytes are no transaction or block of this family. */
export class MalformedBytes extends Error {
  override readonly name = "MalformedBytes";
}

/** A place in the bytes that moves on as they are read. */
export type Cursor = { readonly bytes: Buffer; at: number };

export type RawOutput = {
  readonly units: bigint;
  readonly scriptAt: number;
  readonly scriptLength: number;
};

/** Where the parts of a transaction stand; nothing is copied out. */
export type RawTransaction = {
  readonly startsAt: number;
  /** From the count of inputs to the end of the outputs: with version and lock time, what the id is the hash of. */
  readonly bodyAt: number;
  readonly bodyEnd: number;
  readonly inputs: readonly number[];
  readonly outputs: readonly RawOutput[];
  /** The extended format's flags, 0 for the plain format. */
  readonly flags: number;
};

/** BIP144. */
const witnessFlag = 1;
/** Litecoin's mark of transactions that carry, or (in a block) settle, MimbleWimble extension data. */
export const extensionFlag = 8;
const outpointLength = 36;

/** Reads a transaction up to the end of its outputs and leaves the cursor there: all that a payee needs. */
export function readTransactionHead(cursor: Cursor): RawTransaction {
  const startsAt = cursor.at;
  skip(cursor, 4);
  let flags = 0;
  // No plain transaction has a count of 0 inputs: it is the marker of the extended format.
  if (cursor.bytes[cursor.at] === 0) {
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
    outputs.push({ units: cursor.bytes.readBigUInt64LE(valueAt), scriptAt, scriptLength });
  }
  return { startsAt, bodyAt, bodyEnd: cursor.at, inputs, outputs, flags };
}

/**
 * Reads a whole transaction of a block and leaves the cursor behind it. Inside blocks, MimbleWimble data stands apart
 * from the transactions, so the only thing a flag of 8 adds here is one zero byte.
 */
export function readTransaction(cursor: Cursor): RawTransaction {
  const transaction = readTransactionHead(cursor);
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
  return transaction;
}

/**
 * The id in the byte order of the chain, of a transaction that ends at `end`: the hash without witness and flags, see
 * `doubleHash`.
 */
export function transactionHash(bytes: Buffer, transaction: RawTransaction, end: number): string {
  return doubleHash(plainBytes(bytes, transaction, end));
}

/** A whole transaction in the plain format: the bytes whose hash is its id. Throws `MalformedBytes` for anything else. */
export function plainTransaction(bytes: Buffer): Buffer {
  // Outside a block, extension data stands before the lock time, which is last in any case.
  return plainBytes(bytes, readTransactionHead({ bytes, at: 0 }), bytes.length);
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

/** `txid:vout` of the input that stands at `inputAt`. */
export function outpointAt(bytes: Buffer, inputAt: number): string {
  const txid = idText(bytes.subarray(inputAt, inputAt + 32));
  return `${txid}:${bytes.readUInt32LE(inputAt + 32)}`;
}

/** SHA-256 twice, as text of one character for each byte: Node makes that in less than half the time of a buffer. */
export function doubleHash(bytes: Buffer): string {
  return hash("sha256", Buffer.from(hash("sha256", bytes, "binary"), "binary"), "binary");
}

/** Hashes are shown with their bytes reversed. */
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

/** Passes over so many bytes; throws `MalformedBytes` when there are fewer. */
export function skip(cursor: Cursor, length: number): void {
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) throw new MalformedBytes("the bytes end too early");
}
