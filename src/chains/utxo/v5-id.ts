import { blake2b } from "@noble/hashes/blake2.js";
import { type Cursor, idText, MalformedBytes, readCount, skip } from "./parse-transaction.ts";

/** Version, group of versions, branch, lock time, expiry. */
const headerLength = 20;
const branchAt = 8;
const branchEnd = 12;
const outpointLength = 36;
const amountLength = 8;
/** No Sapling spends, no Sapling outputs, no Orchard actions. */
const noShieldedPart = "000000";

/**
 * The id (ZIP-244) of a transaction of version 5 without shielded parts, such as ours; it is no hash of the bytes. Throws
 * `MalformedBytes` for others.
 */
export function idOfV5(bytes: Buffer): string {
  const cursor: Cursor = { bytes, at: 0 };
  const take = (length: number): Buffer => {
    skip(cursor, length);
    return bytes.subarray(cursor.at - length, cursor.at);
  };
  const header = take(headerLength);
  const outpoints: Buffer[] = [];
  const sequences: Buffer[] = [];
  for (let left = readCount(cursor); left > 0; left -= 1) {
    outpoints.push(take(outpointLength));
    skip(cursor, readCount(cursor));
    sequences.push(take(4));
  }
  const outputs: Buffer[] = [];
  for (let left = readCount(cursor); left > 0; left -= 1) {
    const from = cursor.at;
    skip(cursor, amountLength);
    skip(cursor, readCount(cursor));
    outputs.push(bytes.subarray(from, cursor.at));
  }
  if (bytes.toString("hex", cursor.at) !== noShieldedPart)
    throw new MalformedBytes("a transaction with a shielded part");
  const transparent = digest("ZTxIdTranspaHash", [
    digest("ZTxIdPrevoutHash", outpoints),
    digest("ZTxIdSequencHash", sequences),
    digest("ZTxIdOutputsHash", outputs),
  ]);
  const parts = [
    digest("ZTxIdHeadersHash", [header]),
    transparent,
    digest("ZTxIdSaplingHash", []),
    digest("ZTxIdOrchardHash", []),
  ];
  const branch = bytes.subarray(branchAt, branchEnd);
  return idText(digest(Buffer.concat([Buffer.from("ZcashTxHash_"), branch]), parts));
}

function digest(name: string | Buffer, parts: readonly Uint8Array[]): Buffer {
  const personalization = Buffer.from(name);
  return Buffer.from(blake2b(Buffer.concat(parts), { dkLen: 32, personalization }));
}
