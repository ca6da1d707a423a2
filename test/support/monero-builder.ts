import {
  commitmentTo,
  hash,
  hashToScalar,
  type Point,
  Point as points,
  scalarBytes,
  timesBase,
  varint,
} from "../../src/chains/monero/crypto/points.ts";
import { oneTimeKey, outputScalar, viewTagOf } from "../../src/chains/monero/crypto/receive.ts";
import { readMoneroAddress } from "../../src/currencies/monero-address.ts";

/*
 * Writes transactions and blocks of Monero as a payer would, and as an attacker could: Monero's own wallet makes none of the latter. They
 * have no signatures, which no reader looks at.
 */

export type BuiltOutput = {
  readonly address: string;
  readonly units: bigint;
  /** The amount that the output claims instead of what its commitment holds. */
  readonly claimed?: bigint;
};

export type BuiltOptions = {
  readonly outputs: readonly BuiltOutput[];
  /** The secret key of the transaction; one and the same leads to the same one-time keys. */
  readonly secret: bigint;
  readonly unlockTime?: bigint;
  readonly feeUnits?: bigint;
  /** Anything that makes two transactions with the same outputs differ. */
  readonly keyImage?: string;
  /** How often the transaction's public key is written. */
  readonly keyTimes?: number;
  /** A key of its own for each output, as wallets write for several receivers. */
  readonly hasOutputKeys?: boolean;
  /** Outputs whose keys are replaced by bytes that are no point. */
  readonly invalidOutputKeys?: readonly number[];
  /** Written before and behind the keys. */
  readonly extraHead?: Uint8Array;
  readonly extraTail?: Uint8Array;
};

export type BuiltTransaction = {
  readonly txid: string;
  readonly prunedHex: string;
  /** Zeros for version 1, as nodes state it. */
  readonly prunableHash: string;
  /** The signatures; empty for version 2, of which nobody asks for them. */
  readonly prunableHex: string;
  readonly oneTimeKeys: readonly string[];
};

const prefixes = { standard: 18, integrated: 19, subaddress: 42 };
const prunable = hash(new TextEncoder().encode("no signatures"));
const order = points.Fn.ORDER;
const none = new Uint8Array(0);

const concat = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** A transaction without its signatures. */
export function buildTransaction(options: BuiltOptions): BuiltTransaction {
  const { feeUnits = 30_000_000n, keyImage = "11".repeat(32), outputs } = options;
  const built = outputs.map((output, index) => buildOutput(options, output, index));
  const input = concat(
    Uint8Array.of(2),
    varint(0),
    varint(1),
    varint(7),
    Buffer.from(keyImage, "hex"),
  );
  const prefix = prefixOf(options, [input], built);
  const base = concat(
    Uint8Array.of(6),
    varint(Number(feeUnits)),
    ...built.map(({ maskedAmount }) => maskedAmount),
    ...built.map(({ commitment }) => commitment),
  );
  return {
    txid: hexOf(hash(hash(prefix), hash(base), prunable)),
    prunedHex: hexOf(concat(prefix, base)),
    prunableHash: hexOf(prunable),
    prunableHex: "",
    oneTimeKeys: built.map(({ key }) => hexOf(key)),
  };
}

/** A transaction of version 1 with one ring of one member; its signature is made up. */
export function buildFirstVersion(options: BuiltOptions): BuiltTransaction {
  const { feeUnits = 30_000_000n, keyImage = "11".repeat(32), outputs } = options;
  const built = outputs.map((output, index) => buildOutput(options, output, index));
  const spent = outputs.reduce((sum, { units }) => sum + units, feeUnits);
  const ring = concat(varint(1), varint(7));
  const input = concat(Uint8Array.of(2), bigVarint(spent), ring, Buffer.from(keyImage, "hex"));
  const prefix = prefixOf(options, [input], built, { isPublic: true, version: 1 });
  const oneTimeKeys = built.map(({ key }) => hexOf(key));
  return { ...readFirstVersionBytes(concat(prefix, Buffer.alloc(64, 5)), 1), oneTimeKeys };
}

/** A transaction of version 1 from its bytes, with one ring member per input. */
export function readFirstVersionBytes(bytes: Uint8Array, inputs: number): BuiltTransaction {
  const prefixEnd = bytes.length - 64 * inputs;
  return {
    txid: hexOf(hash(bytes)),
    prunedHex: hexOf(bytes.subarray(0, prefixEnd)),
    prunableHash: "0".repeat(64),
    prunableHex: hexOf(bytes.subarray(prefixEnd)),
    oneTimeKeys: [],
  };
}

export type BuiltBlock = {
  readonly hash: string;
  readonly blob: string;
  readonly rewardId: string;
  readonly txids: readonly string[];
};

/** A block that pays a reward of public amounts. `time` is in seconds. */
export function buildBlock(block: {
  readonly height: number;
  readonly parentHash: string;
  readonly time: number;
  readonly reward: BuiltOptions;
  readonly txids: readonly string[];
}): BuiltBlock {
  const { height, parentHash, reward, time, txids } = block;
  const built = reward.outputs.map((output, index) => buildOutput(reward, output, index));
  const input = concat(Uint8Array.of(0xff), varint(height));
  const options = { ...reward, unlockTime: BigInt(height + 60) };
  const prefix = prefixOf(options, [input], built, { isPublic: true });
  const rewardBytes = concat(prefix, Uint8Array.of(0));
  const rewardId = hash(hash(prefix), hash(Uint8Array.of(0)), new Uint8Array(32));
  const header = concat(
    varint(16),
    varint(16),
    varint(time),
    Buffer.from(parentHash, "hex"),
    Buffer.alloc(4),
  );
  const ids = txids.map((txid) => Buffer.from(txid, "hex"));
  const [first, ...others] = ids;
  if (others.length > 0) throw new Error("the builder makes blocks of one transaction at most");
  const root = first === undefined ? rewardId : hash(rewardId, first);
  const hashed = concat(header, root, varint(ids.length + 1));
  return {
    hash: hexOf(hash(varint(hashed.length), hashed)),
    blob: hexOf(concat(header, rewardBytes, varint(ids.length), ...ids)),
    rewardId: hexOf(rewardId),
    txids,
  };
}

function prefixOf(
  options: BuiltOptions,
  inputs: readonly Uint8Array[],
  outputs: readonly ReturnType<typeof buildOutput>[],
  { isPublic = false, version = 2 } = {},
): Buffer {
  const { extraHead = none, extraTail = none, hasOutputKeys = false, keyTimes = 1 } = options;
  const own = publicKeyFor(options.outputs, options.secret).toBytes();
  const extra = concat(
    extraHead,
    ...Array.from({ length: keyTimes }, () => concat(Uint8Array.of(1), own)),
    ...(hasOutputKeys
      ? [Uint8Array.of(4), varint(outputs.length), ...outputKeysOf(options, outputs)]
      : []),
    extraTail,
  );
  return concat(
    varint(version),
    bigVarint(options.unlockTime ?? 0n),
    varint(inputs.length),
    ...inputs,
    varint(outputs.length),
    ...outputs.map(({ key, tag, units }) =>
      concat(bigVarint(isPublic ? units : 0n), Uint8Array.of(3), key, Uint8Array.of(tag)),
    ),
    varint(extra.length),
    extra,
  );
}

/** 32 bytes that no curve point has. */
export const noPoint = Uint8Array.of(2, ...new Uint8Array(31));

function outputKeysOf(
  { invalidOutputKeys = [] }: BuiltOptions,
  outputs: readonly ReturnType<typeof buildOutput>[],
): readonly Uint8Array[] {
  return outputs.map(({ publicKey }, index) =>
    invalidOutputKeys.includes(index) ? noPoint : publicKey,
  );
}

function buildOutput(options: BuiltOptions, output: BuiltOutput, index: number) {
  const { claimed, units } = output;
  const receiver = receiverOf(output);
  const secret = options.hasOutputKeys === true ? secretOf(options, index) : options.secret;
  const shared = receiver.view.multiply(secret).multiplyUnsafe(8n).toBytes();
  const scalar = outputScalar(shared, index);
  const secretBytes = scalarBytes(scalar);
  const text = new TextEncoder();
  const mask = hashToScalar(text.encode("commitment_mask"), secretBytes);
  const pad = hash(text.encode("amount"), secretBytes);
  const amount = scalarBytes(claimed ?? units).subarray(0, 8);
  return {
    units,
    key: oneTimeKey(receiver.spend, scalar),
    tag: viewTagOf(shared, index),
    publicKey: receiver.publicKey(secret).toBytes(),
    maskedAmount: amount.map((byte, place) => byte ^ (pad[place] ?? 0)),
    commitment: commitmentTo(units, mask).toBytes(),
  };
}

function secretOf({ secret }: BuiltOptions, index: number): bigint {
  return (secret + BigInt(index) + 1n) % order;
}

function receiverOf({ address }: BuiltOutput) {
  const read = readMoneroAddress(address, prefixes);
  if (read === null) throw new Error(`no address: ${address}`);
  const spend = points.fromBytes(read.spendKey);
  return {
    spend,
    view: points.fromBytes(read.viewKey),
    publicKey: (secret: bigint): Point =>
      read.kind === "subaddress" ? spend.multiply(secret) : timesBase(secret),
  };
}

/** A transaction to one receiver has that receiver's form of the key. */
function publicKeyFor([only]: readonly BuiltOutput[], secret: bigint): Point {
  return only === undefined ? timesBase(secret) : receiverOf(only).publicKey(secret);
}

function bigVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}
