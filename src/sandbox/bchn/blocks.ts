import { bigIntToVmNumber } from "@bitauth/libauth/build/lib/vm/instruction-sets/common/instruction-sets-utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { LedgerHeader, LedgerRules, LedgerTransaction } from "../utxo-ledger/rules.ts";
import { encode } from "./codec.ts";

/** `CreateGenesisBlock(1296688602, 2, 0x207fffff, 1, 50 * COIN)`: regtest shares its block 0 with Bitcoin's. */
export const genesis = {
  header:
    "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000",
  transactions: [
    "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000",
  ],
};

/** `powLimit` of regtest in compact form. */
const easiestBits = 0x207fffff;
const easiestTarget = 2n ** 255n;
const blockVersion = 0x20000000;
const coin = 100_000_000n;
const halvingBlocks = 150;

export function subsidy(height: number): bigint {
  return (50n * coin) >> BigInt(Math.floor(height / halvingBlocks));
}

export function readHeader(header: string): LedgerHeader {
  const bytes = Buffer.from(header, "hex");
  return {
    hash: reversed(doubleSha256(bytes)),
    parentHash: reversed(bytes.subarray(4, 36)),
    time: bytes.readUInt32LE(68),
  };
}

/** Bits, nonce, version and Merkle root, for the node's answers. */
export function headerFields(header: string): {
  readonly version: number;
  readonly merkleRoot: string;
  readonly bits: number;
  readonly nonce: number;
} {
  const bytes = Buffer.from(header, "hex");
  return {
    version: bytes.readInt32LE(0),
    merkleRoot: reversed(bytes.subarray(36, 68)),
    bits: bytes.readUInt32LE(72),
    nonce: bytes.readUInt32LE(76),
  };
}

/** Every second hash is work enough on regtest. */
export const makeHeader: LedgerRules["makeHeader"] = ({ parent, time, transactions }) => {
  const bytes = Buffer.alloc(80);
  bytes.writeInt32LE(blockVersion, 0);
  Buffer.from(parent.hash, "hex").reverse().copy(bytes, 4);
  merkleRoot(transactions).copy(bytes, 36);
  bytes.writeUInt32LE(time, 68);
  bytes.writeUInt32LE(easiestBits, 72);
  for (let nonce = 0; ; nonce += 1) {
    bytes.writeUInt32LE(nonce, 76);
    if (BigInt(`0x${reversed(doubleSha256(bytes))}`) < easiestTarget) return bytes.toString("hex");
  }
};

/** With the height in its script (BIP-34). */
export const makeCoinbase: LedgerRules["makeCoinbase"] = ({ distinct, height, script, units }) => {
  const heightBytes = bigIntToVmNumber(BigInt(height));
  const extra = Buffer.alloc(8);
  extra.writeUInt32LE(distinct);
  return encode({
    version: 2,
    locktime: 0,
    inputs: [
      {
        outpointTransactionHash: new Uint8Array(32),
        outpointIndex: 0xffffffff,
        sequenceNumber: 0xffffffff,
        unlockingBytecode: Uint8Array.from([heightBytes.length, ...heightBytes, 8, ...extra]),
      },
    ],
    outputs: [{ valueSatoshis: units, lockingBytecode: hexToBytes(script) }],
  });
};

/** CTOR: by transaction id, whatever depends on what. */
export function canonicalOrder(
  transactions: readonly LedgerTransaction[],
): readonly LedgerTransaction[] {
  return transactions.toSorted((a, b) => (a.txid < b.txid ? -1 : 1));
}

function merkleRoot(transactions: readonly LedgerTransaction[]): Buffer {
  let level = transactions.map(({ txid }) => Buffer.from(txid, "hex").reverse());
  while (level.length > 1) {
    const pairs = level;
    level = [];
    for (let at = 0; at < pairs.length; at += 2) {
      const left = pairs[at] ?? Buffer.alloc(0);
      level.push(doubleSha256(Buffer.concat([left, pairs[at + 1] ?? left])));
    }
  }
  return level[0] ?? Buffer.alloc(32);
}

function doubleSha256(bytes: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(sha256(sha256(bytes)));
}

function reversed(bytes: Uint8Array): string {
  return bytesToHex(Uint8Array.from(bytes).reverse());
}
