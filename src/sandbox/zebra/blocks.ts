import { sha256 } from "@noble/hashes/sha2.js";
import type {
  LedgerBlock,
  LedgerHeader,
  LedgerRules,
  LedgerTransaction,
} from "../utxo-ledger/rules.ts";
import { encode } from "./codec.ts";
import { type Upgrade, upgradeAt } from "./upgrades.ts";
import { bytesOf, compactSize, reversed, uint32 } from "./wire.ts";

/** Block 0 of regtest (`zebra-chain/src/block/genesis/block-regtest-0-000-000.txt`). */
export const genesis = {
  header:
    "040000000000000000000000000000000000000000000000000000000000000000000000db4d7a85b768123f1dff1d4c4cece70083b2d27e117b4ac2e31d087988a5eac40000000000000000000000000000000000000000000000000000000000000000dae5494d0f0f0f2009000000000000000000000000000000000000000000000000000000000000002401936b7db1eb4ac39f151b8704642d0a8bda13ec547d54cd5e43ba142fc6d8877cab07b3",
  transactions: [
    "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff071f0104455a6361736830623963346565663862376363343137656535303031653335303039383462366665613335363833613763616331343161303433633432303634383335643334ffffffff010000000000000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000",
  ],
};

/** `powLimit` of regtest in compact form. */
export const easiestBits = "200f0f0f";
const headerVersion = 4;
const parentAt = 4;
const merkleRootAt = 36;
const timeAt = 100;
/** Solutions of regtest have 36 bytes, and no node checks them there. */
const solutionLength = 36;
/** From Canopy to the first halving of regtest, without funding streams: 6.25 coins. */
const coinsPerBlock = 625_000_000n;
const halvingBlocks = 287;

export function subsidy(height: number): bigint {
  return coinsPerBlock >> BigInt(Math.floor(height / halvingBlocks));
}

export function readHeader(header: string): LedgerHeader {
  const bytes = Buffer.from(header, "hex");
  return {
    hash: shown(doubleSha256(bytes)),
    parentHash: shown(bytes.subarray(parentAt, parentAt + 32)),
    time: bytes.readUInt32LE(timeAt),
  };
}

export function merkleRootIn(header: string): string {
  return shown(Buffer.from(header, "hex").subarray(merkleRootAt, merkleRootAt + 32));
}

/** Without the commitments to the chain's history and to signatures (ZIP-221, ZIP-244), which need shielded state. */
export const makeHeader: LedgerRules["makeHeader"] = ({ height, parent, time, transactions }) =>
  Buffer.concat([
    uint32(headerVersion),
    reversed(parent.hash),
    merkleRoot(transactions),
    Buffer.alloc(32),
    uint32(time),
    reversed(easiestBits),
    uint32(height),
    Buffer.alloc(28),
    bytesOf("00".repeat(solutionLength)),
  ]).toString("hex");

/** Of version 5, with the height in its script (BIP-34) and as its expiry. */
export function coinbaseMaker(upgrades: readonly Upgrade[]): LedgerRules["makeCoinbase"] {
  return ({ distinct, height, script, units }) =>
    encode({
      version: 5,
      branch: Number.parseInt(upgradeAt(upgrades, height)?.branchId ?? "", 16),
      lockTime: 0,
      expiryHeight: height,
      inputs: [
        {
          txid: "0".repeat(64),
          vout: 0xffffffff,
          scriptSig: `${pushOf(heightNumber(height))}${pushOf(uint32(distinct))}`,
          sequence: 0xffffffff,
        },
      ],
      outputs: [{ units, script }],
    });
}

/** A script's number: little-endian, with a sign bit. */
function heightNumber(height: number): Buffer {
  const bytes = uint32(height);
  let length = 4;
  while (length > 1 && bytes[length - 1] === 0 && (bytes[length - 2] ?? 0) < 0x80) length -= 1;
  return bytes.subarray(0, length);
}

function pushOf(bytes: Buffer): string {
  return Buffer.concat([Buffer.of(bytes.length), bytes]).toString("hex");
}

function merkleRoot(transactions: readonly LedgerTransaction[]): Buffer {
  let level = transactions.map(({ txid }) => reversed(txid));
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

function shown(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString("hex");
}

/** The header, the number of transactions, and the transactions, in hex. */
export function rawBlock({ header, transactions }: LedgerBlock): string {
  const count = compactSize(transactions.length).toString("hex");
  return header + count + transactions.map(({ raw }) => raw).join("");
}
