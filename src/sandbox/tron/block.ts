import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { present } from "../../platform/kernel/assert.ts";
import { addressOfKey, type HexAddress } from "./address.ts";
import { type JsonRecord, printMessage } from "./json.ts";
import { blockHeaderRaw, type ContractResult, type TransactionInfo } from "./messages.ts";
import { encodeWithResult, printTransaction, type Transaction } from "./transaction.ts";
import { encode, type MessageOf } from "./wire.ts";

/** A transaction of a block with its outcome. */
export type Executed = {
  readonly transaction: Transaction;
  readonly result: ContractResult;
  readonly info: TransactionInfo;
};

export type Block = {
  readonly number: number;
  /** Eight bytes of the number, then the end of the header's SHA-256. */
  readonly id: string;
  readonly header: MessageOf<typeof blockHeaderRaw>;
  /** In milliseconds. */
  readonly timestamp: number;
  /** Which of the witnesses made it. */
  readonly witness: number;
  readonly transactions: readonly Executed[];
};

export const blockIntervalMs = 3000;
const blockVersion = 34n;
const emptyHash = "0".repeat(64);
/** As on the main network. Their keys exist only here. */
const witnessCount = 27;

const witnesses = Array.from({ length: witnessCount }, (_, place) => {
  const key = sha256(utf8ToBytes(`witness ${place} of a simulated TRON ledger`));
  return { key, address: addressOfKey(secp256k1.getPublicKey(key, false)) };
});

export const witnessAddresses: readonly HexAddress[] = witnesses.map(({ address }) => address);

/** The witness whose turn it is. A fork shifts the turns, so that the same content makes another block. */
export function witnessAt(timestamp: number, forks: number): number {
  return (Math.floor(timestamp / blockIntervalMs) + forks) % witnessCount;
}

export function createBlock(content: {
  readonly parent: Pick<Block, "number" | "id"> | null;
  readonly timestamp: number;
  readonly witness: number;
  readonly transactions: readonly Executed[];
}): Block {
  const { parent, timestamp, witness, transactions } = content;
  const number = parent === null ? 0 : parent.number + 1;
  const header = {
    timestamp: BigInt(timestamp),
    txTrieRoot: merkleRoot(transactions),
    parentHash: parent?.id ?? emptyHash,
    number: BigInt(number),
    witness_address: present(witnesses[witness], "a witness").address,
    version: blockVersion,
  };
  return { number, id: blockIdOf(header), header, timestamp, witness, transactions };
}

export function blockIdOf(header: Block["header"]): string {
  const digest = bytesToHex(sha256(hexToBytes(encode(blockHeaderRaw, header))));
  return (header.number ?? 0n).toString(16).padStart(16, "0") + digest.slice(16);
}

/** The root of java-tron's Merkle tree: pairs are hashed, and the last hash of an odd level moves up unchanged. */
function merkleRoot(transactions: readonly Executed[]): string {
  if (transactions.length === 0) return emptyHash;
  let level: readonly Uint8Array[] = transactions.map(({ transaction, result }) =>
    sha256(hexToBytes(encodeWithResult(transaction, result))),
  );
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let place = 0; place < level.length; place += 2) {
      const left = present(level[place], "a left leaf");
      const right = level[place + 1];
      above.push(right === undefined ? left : sha256(Uint8Array.of(...left, ...right)));
    }
    level = above;
  }
  return bytesToHex(present(level[0], "the root"));
}

export function printBlock(block: Block, detailed: boolean, visible: boolean): JsonRecord {
  const { header, id, transactions } = block;
  return {
    blockID: id,
    block_header: {
      raw_data: printMessage(blockHeaderRaw, header, visible),
      ...(block.number === 0 ? {} : { witness_signature: witnessSignature(block) }),
    },
    ...(detailed && transactions.length > 0
      ? {
          transactions: transactions.map(({ transaction, result }) =>
            printTransaction(transaction, result, visible),
          ),
        }
      : {}),
  };
}

const signatures = new WeakMap<Block, string>();

/** Deterministic, and computed when the block is first read: followers read the newest block once a second. */
function witnessSignature(block: Block): string {
  const known = signatures.get(block);
  if (known !== undefined) return known;
  const signature = sign(block);
  signatures.set(block, signature);
  return signature;
}

function sign({ header, witness }: Block): string {
  const { key } = present(witnesses[witness], "a witness");
  const digest = sha256(hexToBytes(encode(blockHeaderRaw, header)));
  const signature = secp256k1.sign(digest, key, { prehash: false, format: "recovered" });
  // The library puts the recovery bit first, TRON last.
  return bytesToHex(Uint8Array.of(...signature.subarray(1), present(signature[0], "a bit")));
}
