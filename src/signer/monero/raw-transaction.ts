import { DraftRefused } from "../draft-signer.ts";
import { keccak } from "./curve.ts";

/** An output, with its amount still masked. */
export type RawOutput = {
  readonly key: Uint8Array;
  /** The first byte of a hash that receivers compare before they compute more. */
  readonly viewTag: number;
  /** 8 bytes. */
  readonly maskedAmount: Uint8Array;
  readonly commitment: Uint8Array;
};

export type RawTransaction = {
  readonly txid: string;
  readonly keyImages: readonly string[];
  readonly outputs: readonly RawOutput[];
  readonly feeUnits: bigint;
  /** One for the transaction, then, where several receivers have subaddresses, one per output. */
  readonly publicKey: Uint8Array;
  readonly outputPublicKeys: readonly Uint8Array[] | null;
  /** The encrypted payment id; null without one. */
  readonly paymentId: Uint8Array | null;
};

const transactionVersion = 2n;
/** An input that names a ring of outputs, and an output with a view tag (monero's src/cryptonote_basic/cryptonote_basic.h). */
const ringInput = 0x02;
const taggedKeyOutput = 0x03;
/** CLSAG with Bulletproofs+ (monero's src/ringct/rctTypes.h). */
const ringType = 6;

/**
 * Reads a signed transaction of the current format: version 2, spendable at once, CLSAG and Bulletproofs+. Throws `DraftRefused`
 * for anything else. The proofs are not read: without valid ones the network takes no transaction.
 */
export function readRawTransaction(bytes: Uint8Array): RawTransaction {
  const reader = createReader(bytes);
  expect(reader.varint(), transactionVersion, "version");
  expect(reader.varint(), 0n, "unlock time");
  const keyImages = reader.list(() => readKeyImage(reader));
  const keys = reader.list(() => readOutputKey(reader));
  const extra = readExtra(reader.bytes(Number(reader.varint())), keys.length);
  const prefixEnd = reader.offset();
  expect(reader.byte(), ringType, "ring signature type");
  const feeUnits = reader.varint();
  const maskedAmounts = keys.map(() => reader.bytes(8));
  const commitments = keys.map(() => reader.bytes(32));
  const baseEnd = reader.offset();
  const hash = (from: number, to?: number): Uint8Array => keccak(bytes.subarray(from, to));
  const txid = keccak(hash(0, prefixEnd), hash(prefixEnd, baseEnd), hash(baseEnd));
  return {
    txid: Buffer.from(txid).toString("hex"),
    keyImages,
    outputs: keys.map((key, index) => ({
      ...key,
      maskedAmount: maskedAmounts[index] ?? refuse("an amount is missing"),
      commitment: commitments[index] ?? refuse("a commitment is missing"),
    })),
    feeUnits,
    ...extra,
  };
}

function readKeyImage(reader: Reader): string {
  expect(reader.byte(), ringInput, "kind of an input");
  expect(reader.varint(), 0n, "amount of an input");
  reader.list(() => reader.varint());
  return Buffer.from(reader.bytes(32)).toString("hex");
}

function readOutputKey(reader: Reader): Pick<RawOutput, "key" | "viewTag"> {
  expect(reader.varint(), 0n, "amount of an output");
  expect(reader.byte(), taggedKeyOutput, "kind of an output");
  return { key: reader.bytes(32), viewTag: reader.byte() };
}

type Extra = Pick<RawTransaction, "publicKey" | "outputPublicKeys" | "paymentId">;

const publicKeyField = 0x01;
const nonceField = 0x02;
const outputKeysField = 0x04;
/** In a nonce: an encrypted payment id of 8 bytes. */
const encryptedIdTag = 0x01;

/** Each field at most once: a second key of the transaction would let receivers and signer see different outputs. */
function readExtra(bytes: Uint8Array, outputs: number): Extra {
  const reader = createReader(bytes);
  let publicKey: Uint8Array | null = null;
  let outputPublicKeys: readonly Uint8Array[] | null = null;
  let paymentId: Uint8Array | null = null;
  while (reader.offset() < bytes.length) {
    const field = reader.byte();
    if (field === publicKeyField && publicKey === null) {
      publicKey = reader.bytes(32);
    } else if (field === outputKeysField && outputPublicKeys === null) {
      outputPublicKeys = reader.list(() => reader.bytes(32));
      expect(outputPublicKeys.length, outputs, "number of output keys");
    } else if (field === nonceField && paymentId === null) {
      expect(reader.byte(), 9, "length of the nonce");
      expect(reader.byte(), encryptedIdTag, "kind of the nonce");
      paymentId = reader.bytes(8);
    } else {
      refuse(`has the extra field ${field}, or has it twice`);
    }
  }
  return { publicKey: publicKey ?? refuse("has no public key"), outputPublicKeys, paymentId };
}

type Reader = {
  readonly offset: () => number;
  readonly byte: () => number;
  readonly bytes: (length: number) => Uint8Array;
  readonly varint: () => bigint;
  /** A count, then that many items; each takes at least a byte. */
  readonly list: <Item>(read: () => Item) => readonly Item[];
};

function createReader(bytes: Uint8Array): Reader {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) refuse("ends early");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const byte = (): number => take(1)[0] ?? refuse("ends early");
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const part = byte();
      value |= BigInt(part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
    return refuse("has a number of more than 64 bits");
  };
  return {
    offset: () => at,
    byte,
    bytes: take,
    varint: readVarint,
    list: (read) => {
      const count = readVarint();
      if (count > BigInt(bytes.length - at)) refuse("has a list longer than itself");
      return Array.from({ length: Number(count) }, read);
    },
  };
}

function expect(found: number | bigint, wanted: number | bigint, what: string): void {
  if (found !== wanted) refuse(`its ${what} is ${found} instead of ${wanted}`);
}

function refuse(what: string): never {
  throw new DraftRefused(`the signed transaction: ${what}`);
}
