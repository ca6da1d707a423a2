import { Malformed } from "../rpc/answer.ts";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { hash, toHex } from "./crypto/points.ts";
import { type ExtraKeys, readExtraKeys } from "./extra.ts";

/** What an output says about its amount. */
export type OutputAmount =
  | { readonly kind: "public"; readonly units: bigint }
  /** 8 and 32 bytes. */
  | {
      readonly kind: "masked";
      readonly maskedAmount: Uint8Array;
      readonly commitment: Uint8Array;
    };

export type TransactionOutput = {
  /** The one-time key, 32 bytes. */
  readonly key: Uint8Array;
  /** Null in the format before August 2022. */
  readonly viewTag: number | null;
  readonly amount: OutputAmount;
};

/** Where a transaction's money comes from. */
export type TransactionOrigin =
  /** A block's first transaction creates its coins, and names the block's height. */
  | { readonly kind: "reward"; readonly height: number }
  | { readonly kind: "outputs"; readonly keyImages: readonly string[] };

/** A transaction as its pruned bytes describe it: all but its signatures and proofs. */
export type MoneroTransaction = {
  readonly txid: string;
  readonly origin: TransactionOrigin;
  readonly outputs: readonly TransactionOutput[];
  readonly extra: ExtraKeys;
  /** A height, from 500,000,000 on a time in seconds; 0 without a lock. */
  readonly unlockTime: bigint;
  /** In units; 0 for a block's first transaction. */
  readonly feeUnits: bigint;
};

const version = 2;
/** The format before 2017, in which amounts are public; nodes still take it for outputs too rare to form a ring with others. */
const firstVersion = 1;
/** Kinds of inputs and outputs (src/cryptonote_basic/cryptonote_basic.h). */
const generatedInput = 0xff;
const keyInput = 0x02;
const keyOutput = 0x02;
const taggedKeyOutput = 0x03;
/** Kinds of signatures (src/ringct/rctTypes.h): none, and those since December 2019 whose amounts have 8 bytes. */
const noSignature = 0;
const compactSignatures = [4, 5, 6];

const hashLength = 32;
const signatureLength = 64;
const noHash = new Uint8Array(hashLength);
const maskedAmountLength = 8;

/** Whether these are the pruned bytes of a transaction of version 1, whose id covers its signatures and no hash of them. */
export function isFirstVersion(pruned: Uint8Array): boolean {
  return pruned[0] === firstVersion;
}

/**
 * Reads all bytes of a transaction of version 1: its id is their hash. Throws `Malformed`, also unless it spends something and exactly the
 * signatures of its rings follow: then it has more bytes than the three hashes that the id of a version 2 is computed from, so no
 * bytes are both.
 */
export function readFirstVersion(bytes: Uint8Array): MoneroTransaction {
  const reader = createByteReader(bytes);
  expect(reader.varint(), [firstVersion], "version");
  const { extra, inputs, outputs, unlockTime } = readPrefix(reader);
  const { origin, ringMembers, units: spent } = inputs;
  if (origin.kind === "reward" || ringMembers === 0) throw new Malformed("no rings");
  reader.bytes(signatureLength * ringMembers);
  if (!reader.isAtEnd()) throw new Malformed("bytes behind a transaction");
  const feeUnits = outputs.reduce((left, { units }) => left - units, spent);
  if (feeUnits < 0n) throw new Malformed("a transaction that pays more than it spends");
  const txid = toHex(hash(bytes));
  return { txid, unlockTime, origin, outputs: outputs.map(withPublicAmount), extra, feeUnits };
}

/**
 * Reads the pruned bytes of a transaction. Its id covers them and the hash of what was pruned, so a node cannot change either. Throws
 * `Malformed` for every format but today's and those back to December 2019: after an upgrade of Monero, reading stops until this program
 * knows the new format. Those of version 1 are for `readFirstVersion`.
 */
export function readTransaction(
  bytes: Uint8Array,
  prunableHash: Uint8Array | null,
): MoneroTransaction {
  const reader = createByteReader(bytes);
  const transaction = readParts(reader);
  if (!reader.isAtEnd()) throw new Malformed("bytes behind a transaction");
  // Nothing of a reward was pruned, of which nodes answer the hash, and nothing is what its id covers.
  return identify(bytes, transaction, transaction.origin.kind === "reward" ? null : prunableHash);
}

/** The id of a transaction whose bytes are complete, with its signatures and proofs. Throws `Malformed`. */
export function signedTransactionId(bytes: Uint8Array): string {
  const reader = createByteReader(bytes);
  const parts = readParts(reader);
  const end = reader.at();
  return identify(bytes.subarray(0, end), parts, hash(bytes.subarray(end))).txid;
}

/** Reads a block's first transaction, with which `from` begins among the bytes of the block. */
export function readReward(
  bytes: Uint8Array,
  from: ByteReader,
): { readonly height: number; readonly reward: MoneroTransaction } {
  const start = from.at();
  const parts = readParts(from);
  if (parts.origin.kind !== "reward") throw new Malformed("a block that no reward begins");
  const own = { ...parts, prefixEnd: parts.prefixEnd - start };
  return {
    height: parts.origin.height,
    reward: identify(bytes.subarray(start, from.at()), own, null),
  };
}

type Parts = Omit<MoneroTransaction, "txid"> & { readonly prefixEnd: number };

function identify(
  bytes: Uint8Array,
  { prefixEnd, ...transaction }: Parts,
  prunableHash: Uint8Array | null,
): MoneroTransaction {
  const parts = [
    hash(bytes.subarray(0, prefixEnd)),
    hash(bytes.subarray(prefixEnd)),
    prunableHash ?? noHash,
  ];
  return { ...transaction, txid: toHex(hash(...parts)) };
}

function readParts(reader: ByteReader): Parts {
  expect(reader.varint(), [version], "version");
  const { extra, inputs, outputs, unlockTime } = readPrefix(reader);
  const { origin } = inputs;
  const prefixEnd = reader.at();
  const signature = reader.byte();
  if (origin.kind === "reward") {
    expect(signature, [noSignature], "signature of a reward");
    const paid = outputs.map(withPublicAmount);
    return { unlockTime, origin, outputs: paid, extra, feeUnits: 0n, prefixEnd };
  }
  expect(signature, compactSignatures, "kind of signature");
  const feeUnits = reader.bigVarint();
  const maskedAmounts = outputs.map(() => reader.bytes(maskedAmountLength));
  const commitments = outputs.map(() => reader.bytes(hashLength));
  const masked = outputs.map(({ units, ...output }, place) => {
    if (units !== 0n) throw new Malformed("an output with two amounts");
    const maskedAmount = maskedAmounts[place] ?? noHash;
    const commitment = commitments[place] ?? noHash;
    return { ...output, amount: { kind: "masked", maskedAmount, commitment } as const };
  });
  return { unlockTime, origin, outputs: masked, extra, feeUnits, prefixEnd };
}

/** What the versions have in common, behind the version. */
function readPrefix(reader: ByteReader) {
  const unlockTime = reader.bigVarint();
  const inputs = readInputs(reader);
  const outputs = Array.from({ length: reader.count(1 + hashLength) }, () => readOutput(reader));
  const extra = readExtraKeys(reader.bytes(reader.count(1)));
  return { unlockTime, inputs, outputs, extra };
}

type Inputs = {
  readonly origin: TransactionOrigin;
  /** Of all rings together. */
  readonly ringMembers: number;
  /** What the inputs say that they hold: 0 where that is hidden. */
  readonly units: bigint;
};

function readInputs(reader: ByteReader): Inputs {
  const count = reader.count(2);
  const keyImages: string[] = [];
  let [ringMembers, units] = [0, 0n];
  for (let place = 0; place < count; place += 1) {
    const kind = reader.byte();
    if (kind === generatedInput && count === 1)
      return { origin: { kind: "reward", height: reader.varint() }, ringMembers, units };
    expect(kind, [keyInput], "kind of input");
    units += reader.bigVarint();
    const members = reader.count(1);
    for (let left = members; left > 0; left -= 1) reader.bigVarint();
    ringMembers += members;
    keyImages.push(toHex(reader.bytes(hashLength)));
  }
  return { origin: { kind: "outputs", keyImages }, ringMembers, units };
}

type PrefixOutput = Omit<TransactionOutput, "amount"> & { readonly units: bigint };

function withPublicAmount({ units, ...output }: PrefixOutput): TransactionOutput {
  return { ...output, amount: { kind: "public", units } };
}

function readOutput(reader: ByteReader): PrefixOutput {
  const units = reader.bigVarint();
  const kind = reader.byte();
  expect(kind, [keyOutput, taggedKeyOutput], "kind of output");
  const key = reader.bytes(hashLength);
  return { units, key, viewTag: kind === taggedKeyOutput ? reader.byte() : null };
}

function expect(found: number, known: readonly number[], what: string): void {
  if (!known.includes(found))
    throw new Malformed(`a transaction with the unknown ${what} ${found}`);
}
