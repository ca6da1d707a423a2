import { createHash, scryptSync } from "node:crypto";

const headerLength = 80;
const nonceAt = 76;
const bitsAt = 72;
const mergedFlag = 0x100;
/** A version without a chain's number, as Litecoin's blocks have. */
const parentVersion = 0x20000000;
const announcement = "fabe6d6d";

/**
 * The bytes of a header or block with a proof of merged mining behind the header, where its version has the flag: the coinbase of a
 * parent block that nobody mined commits to the header, and the parent's header has the work (scrypt). The same every time.
 */
export function withProof(bytes: Buffer): Buffer {
  const header = bytes.subarray(0, headerLength);
  if ((header.readUInt32LE(0) & mergedFlag) === 0) return bytes;
  // One chain in the tree of chains, so its root is the block's hash.
  const root = doubleSha(header).reverse().toString("hex");
  const script = `${announcement}${root}0100000000000000`;
  const coinbase = Buffer.from(
    `0100000001${"00".repeat(32)}ffffffff${(script.length / 2).toString(16)}${script}ffffffff` +
      `01000000000000000000${"00".repeat(4)}`,
    "hex",
  );
  const parent = Buffer.alloc(headerLength);
  parent.writeUInt32LE(parentVersion);
  doubleSha(coinbase).copy(parent, 36);
  header.copy(parent, 68, 68, nonceAt);
  const target = targetOf(header.readUInt32LE(bitsAt));
  for (let nonce = 0; workOf(parent) > target; nonce += 1) parent.writeUInt32LE(nonce, nonceAt);
  const noBranch = Buffer.alloc(5);
  const proof = [coinbase, doubleSha(parent), noBranch, noBranch, parent];
  return Buffer.concat([header, ...proof, bytes.subarray(headerLength)]);
}

function doubleSha(bytes: Buffer): Buffer {
  return createHash("sha256").update(createHash("sha256").update(bytes).digest()).digest();
}

function workOf(header: Buffer): bigint {
  const hash = scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 }).reverse();
  return BigInt(`0x${hash.toString("hex")}`);
}

function targetOf(bits: number): bigint {
  return BigInt(bits & 0x7fffff) << BigInt(8 * ((bits >>> 24) - 3));
}
