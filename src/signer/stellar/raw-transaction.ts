import { DraftRefused } from "../draft-signer.ts";
import { accountText } from "./strkey.ts";

/** What the transaction does. Units of coin are stroops; of a token, its own smallest units. */
export type StellarOperation =
  | {
      readonly type: "payment";
      readonly to: string;
      /** `native`, or `CODE:ISSUER`. */
      readonly asset: string;
      readonly units: bigint;
    }
  | { readonly type: "createAccount"; readonly to: string; readonly units: bigint }
  /** Lets the account hold as much of a token as there can be. */
  | { readonly type: "changeTrust"; readonly asset: string }
  /** Uses all sequences up to this one; null: it changes nothing, and the transaction uses its own. */
  | { readonly type: "useSequence"; readonly through: bigint | null }
  /** Creates an account without coin, whose reserve the transaction's source keeps: three operations. */
  | { readonly type: "createChannel"; readonly to: string };

/** A transaction of the one form that this signer signs. */
export type RawTransaction = {
  /** Whose sequence it uses, a G-address. */
  readonly from: string;
  /** Who makes the payments: `from`, or the account that they name. Then `from` is a channel, and has no coin for the fee. */
  readonly payer: string;
  /** Stroops at most, with those of the fee-bump transaction around it if a channel is used. */
  readonly fee: bigint;
  readonly sequence: bigint;
  /** Seconds since 1970: no ledger that closes later contains it. */
  readonly maxTime: bigint;
  /** Decimal text; null for no memo. */
  readonly memo: string | null;
  /** In the order of their execution; if one fails, none has an effect. */
  readonly operations: readonly StellarOperation[];
};

export const native = "native";

/** The network allows no more operations. */
const operationsMax = 100;

/**
 * Reads `Transaction` of Stellar-transaction.x: operations by the transaction's own source, or payments by one other account, in a time that
 * ends, with an id as memo or none. Throws `DraftRefused` for anything else, in particular for M-addresses and for bytes that are left over.
 */
export function readRawTransaction(bytes: Uint8Array): RawTransaction {
  const reader = createReader(bytes);
  const from = readKey(reader, "its source");
  const fee = BigInt(reader.uint32());
  const sequence = reader.int64();
  if (sequence <= 0n) throw new DraftRefused(`uses the sequence ${sequence}`);
  const maxTime = readTimeBounds(reader);
  const memo = readMemo(reader);
  const count = reader.uint32();
  if (count === 0 || count > operationsMax) throw new DraftRefused(`has ${count} operations`);
  const read: SourcedOperation[] = [];
  for (let left = count; left > 0; ) {
    const next = readSourced(reader, { from, sequence, left });
    read.push(next);
    left -= next.operation.type === "createChannel" ? channelOperations : 1;
  }
  reader.expect(0, "an extension");
  if (!reader.isAtEnd()) throw new DraftRefused("goes on after its end");
  const payer = payerOf(read, from);
  return {
    from,
    payer,
    fee: payer === from ? fee : feeWithBump(fee, count),
    sequence,
    maxTime,
    memo,
    operations: read.map(({ operation }) => operation),
  };
}

/** `by`: the account that the operation names as its source. */
type SourcedOperation = { readonly by: string | null; readonly operation: StellarOperation };

/** The account that makes all payments. Nothing else is done in another's name. */
function payerOf(read: readonly SourcedOperation[], from: string): string {
  const payers = new Set<string>();
  for (const { by, operation } of read) {
    if (operation.type === "payment" || operation.type === "createAccount") payers.add(by ?? from);
    else if (by !== null) throw new DraftRefused(`has a source of its ${operation.type}: ${by}`);
  }
  const [payer = from, ...others] = payers;
  if (others.length > 0) throw new DraftRefused(`pays from ${payer} and ${others.join(", ")}`);
  return payer;
}

/**
 * What the fee-bump transaction around a transaction offers: for each operation and for itself as much as that one offers for each. The network
 * requires no less (CAP-15).
 */
function feeWithBump(fee: bigint, count: number): bigint {
  const operations = BigInt(count);
  return fee + (fee + operations - 1n) / operations;
}

type Reader = {
  readonly uint32: () => number;
  readonly int64: () => bigint;
  readonly uint64: () => bigint;
  readonly bytes: (length: number) => Uint8Array;
  /** Reads a number that must be this one; anything else is `what`, which is not signed. */
  readonly expect: (number: number, what: string) => void;
  readonly isAtEnd: () => boolean;
};

function createReader(all: Uint8Array): Reader {
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
  let at = 0;
  const advance = (length: number): number => {
    const from = at;
    at += length;
    if (at > all.length) throw new DraftRefused("ends too early");
    return from;
  };
  const uint32 = (): number => view.getUint32(advance(4));
  return {
    uint32,
    int64: () => view.getBigInt64(advance(8)),
    uint64: () => view.getBigUint64(advance(8)),
    bytes: (length) => {
      const from = advance(length);
      return all.slice(from, from + length);
    },
    expect: (number, what) => {
      const found = uint32();
      if (found !== number) throw new DraftRefused(`has ${what}: ${found} instead of ${number}`);
    },
    isAtEnd: () => at === all.length,
  };
}

/** Both a key and an account begin with the type of the key, 0 for Ed25519; 256 would be an M-address. */
function readKey(reader: Reader, what: string): string {
  reader.expect(0, `another key as ${what}`);
  return accountText(reader.bytes(32));
}

const preconditionTime = 1;

function readTimeBounds(reader: Reader): bigint {
  reader.expect(preconditionTime, "other preconditions than time bounds");
  if (reader.uint64() !== 0n) throw new DraftRefused("is valid only from a time on");
  const maxTime = reader.uint64();
  if (maxTime === 0n) throw new DraftRefused("is valid forever");
  return maxTime;
}

const memoTypes = { none: 0, id: 2 };

function readMemo(reader: Reader): string | null {
  const type = reader.uint32();
  if (type === memoTypes.none) return null;
  if (type !== memoTypes.id) throw new DraftRefused("has a memo that is no number");
  return reader.uint64().toString();
}

const operationTypes = {
  createAccount: 0,
  payment: 1,
  changeTrust: 6,
  bumpSequence: 11,
  beginSponsoring: 16,
  endSponsoring: 17,
};
const limitMax = 2n ** 63n - 1n;

/** Begin to sponsor, create, end to sponsor. */
const channelOperations = 3;

type Place = {
  readonly from: string;
  readonly sequence: bigint;
  /** Operations that are not read yet. */
  readonly left: number;
};

function readSourced(reader: Reader, { from, sequence, left }: Place): SourcedOperation {
  const by = readSource(reader);
  const type = reader.uint32();
  if (type !== operationTypes.beginSponsoring)
    return { by, operation: readOperation(reader, type, sequence) };
  if (left < channelOperations) throw new DraftRefused("sponsors an account without an end");
  return { by, operation: readChannel(reader, from) };
}

function readSource(reader: Reader): string | null {
  const isNamed = reader.uint32();
  if (isNamed === 0) return null;
  if (isNamed !== 1) throw new DraftRefused(`has an operation with ${isNamed} sources`);
  return readKey(reader, "a source of its operation");
}

/** The rest of the three operations that make a channel: an account without coin, which signs that another keeps its reserve. */
function readChannel(reader: Reader, from: string): StellarOperation {
  const to = readKey(reader, "sponsored account");
  if (readSource(reader) !== null) throw new DraftRefused("has a source of what makes a channel");
  reader.expect(operationTypes.createAccount, "something else in what makes a channel");
  const created = readKey(reader, "receiver");
  const units = reader.int64();
  if (created !== to || units !== 0n)
    throw new DraftRefused(`creates ${created} with ${units} while ${from} sponsors ${to}`);
  const ended = readSource(reader);
  reader.expect(operationTypes.endSponsoring, "something else in what makes a channel");
  if (ended !== to) throw new DraftRefused(`lets ${ended ?? from} end what ${to} agreed to`);
  return { type: "createChannel", to };
}

function readOperation(reader: Reader, type: number, sequence: bigint): StellarOperation {
  if (type === operationTypes.bumpSequence) return readBump(reader.int64(), sequence);
  if (type === operationTypes.changeTrust) {
    const asset = readAsset(reader);
    if (asset === native) throw new DraftRefused("trusts the chain's coin");
    const limit = reader.int64();
    if (limit !== limitMax) throw new DraftRefused(`limits its trust to ${limit}`);
    return { type: "changeTrust", asset };
  }
  if (type !== operationTypes.payment && type !== operationTypes.createAccount)
    throw new DraftRefused(`has an operation of type ${type}`);
  const to = readKey(reader, "receiver");
  const asset = type === operationTypes.payment ? readAsset(reader) : native;
  const units = reader.int64();
  if (units <= 0n) throw new DraftRefused(`moves ${units}`);
  return type === operationTypes.payment
    ? { type: "payment", to, asset, units }
    : { type: "createAccount", to, units };
}

/** Only as far as payments may need: an account whose sequences are used up can never pay again. */
function readBump(bumpTo: bigint, sequence: bigint): StellarOperation {
  if (bumpTo === 0n) return { type: "useSequence", through: null };
  if (bumpTo <= sequence || bumpTo - sequence >= BigInt(operationsMax))
    throw new DraftRefused(`moves the sequence from ${sequence} to ${bumpTo}`);
  return { type: "useSequence", through: bumpTo };
}

const codeLengths: Readonly<Record<number, number>> = { 1: 4, 2: 12 };

function readAsset(reader: Reader): string {
  const type = reader.uint32();
  if (type === 0) return native;
  const length = codeLengths[type];
  if (length === undefined) throw new DraftRefused(`has an asset of type ${type}`);
  const code = Buffer.from(reader.bytes(length)).toString("latin1").replace(/\0+$/, "");
  const shortest = length === 4 ? 1 : 5;
  if (code.length < shortest || !/^[A-Za-z0-9]+$/.test(code))
    throw new DraftRefused("has an asset whose code is not one");
  return `${code}:${readKey(reader, "issuer")}`;
}
