import { utf8ToBytes } from "@noble/hashes/utils.js";
import { DraftRefused } from "../draft-signer.ts";
import type { MoneroKeys } from "./account-keys.ts";
import type { MoneroAddress } from "./address.ts";
import {
  amountGenerator,
  derivationOf,
  hashToScalar,
  integerOf,
  keccak,
  order,
  outputScalar,
  Point,
  publicOf,
  scalarBytes,
  varint,
} from "./curve.ts";
import type { RawOutput, RawTransaction } from "./raw-transaction.ts";

/** A payment that a transaction has to make. */
export type RequiredPayment = { readonly receiver: MoneroAddress; readonly units: bigint };

/** The secret keys of a transaction: of the transaction itself, and of each output where it has such keys. */
export type TransactionKeys = {
  readonly key: bigint;
  readonly outputKeys: readonly bigint[] | null;
};

/** Reads the keys as wallets write them: 32 bytes each, in hexadecimal, one after the other. */
export function readTransactionKeys(hex: string): TransactionKeys {
  if (!/^(?:[0-9a-f]{64})+$/.test(hex))
    throw new DraftRefused("the transaction's keys cannot be read");
  const [key = 0n, ...outputKeys] = Array.from({ length: hex.length / 64 }, (_, at) =>
    integerOf(Buffer.from(hex.slice(at * 64, (at + 1) * 64), "hex")),
  );
  const isScalar = [key, ...outputKeys].every((scalar) => scalar > 0n && scalar < order);
  if (!isScalar) throw new DraftRefused("a key of the transaction is not a scalar");
  return { key, outputKeys: outputKeys.length === 0 ? null : outputKeys };
}

/**
 * Computes every output again: each one makes a different one of the payments, or returns change to our own primary address. Throws
 * `DraftRefused` otherwise. The network takes no transaction whose inputs differ from its outputs and its fee, so nothing can go
 * anywhere else.
 */
export function assertOutputs(
  transaction: RawTransaction,
  secrets: TransactionKeys,
  payments: readonly RequiredPayment[],
  own: MoneroKeys,
): void {
  const { outputs } = transaction;
  const keys = new Set(outputs.map(({ key }) => Buffer.from(key).toString("hex")));
  // Two outputs with one key can be spent once.
  if (keys.size !== outputs.length) throw new DraftRefused("two outputs have the same key");
  const open = [...payments];
  for (const [index, output] of outputs.entries()) {
    const paid = open.findIndex((payment) => pays(transaction, secrets, output, index, payment));
    if (paid >= 0) open.splice(paid, 1);
    else if (!isChange(transaction, output, index, own))
      throw new DraftRefused(`output ${index} pays nobody that the intent names, and is not ours`);
  }
  const [missing] = open;
  if (missing !== undefined)
    throw new DraftRefused(`${open.length} payments are missing, one of ${missing.units} units`);
}

/** Whether the receiver finds this output, and it has exactly the amount. */
function pays(
  { publicKey, outputPublicKeys, paymentId }: RawTransaction,
  secrets: TransactionKeys,
  output: RawOutput,
  index: number,
  { receiver, units }: RequiredPayment,
): boolean {
  const hasOwnKey = receiver.isSubaddress && outputPublicKeys !== null;
  const secret = hasOwnKey ? secrets.outputKeys?.[index] : secrets.key;
  const shown = hasOwnKey ? outputPublicKeys[index] : publicKey;
  if (secret === undefined || shown === undefined) return false;
  // The receiver multiplies the public key by its own secret: only this one leads to the derivation below.
  const expected = receiver.isSubaddress ? receiver.spend.multiply(secret) : publicOf(secret);
  if (!isSame(shown, expected.toBytes())) return false;
  const derivation = derivationOf(receiver.view, secret);
  if (!isFor(output, index, derivation, receiver.spend)) return false;
  if (amountOf(output, index, derivation) !== units) return false;
  return (
    receiver.paymentId === null || isSame(decryptId(paymentId, derivation), receiver.paymentId)
  );
}

function isChange(
  { publicKey, outputPublicKeys }: RawTransaction,
  output: RawOutput,
  index: number,
  { viewSecret, spend }: MoneroKeys,
): boolean {
  const shown = [publicKey, outputPublicKeys?.[index]];
  return shown.some((key) => {
    if (key === undefined) return false;
    const derivation = derivationOf(Point.fromBytes(key), viewSecret);
    return isFor(output, index, derivation, spend) && amountOf(output, index, derivation) !== null;
  });
}

/** Whether the output's key and view tag are those of the receiver with that derivation. */
function isFor(
  { key, viewTag }: RawOutput,
  index: number,
  derivation: Uint8Array,
  spend: Point,
): boolean {
  const [tag] = keccak(utf8ToBytes("view_tag"), derivation, varint(BigInt(index)));
  const expected = publicOf(outputScalar(derivation, index)).add(spend);
  return tag === viewTag && isSame(key, expected.toBytes());
}

/** The amount as its receiver reads it; null if the commitment is to another one. */
function amountOf(
  { maskedAmount, commitment }: RawOutput,
  index: number,
  derivation: Uint8Array,
): bigint | null {
  const shared = scalarBytes(outputScalar(derivation, index));
  const pad = keccak(utf8ToBytes("amount"), shared);
  const units = integerOf(maskedAmount.map((byte, at) => byte ^ (pad[at] ?? 0)));
  const blinding = hashToScalar(utf8ToBytes("commitment_mask"), shared);
  const expected = publicOf(blinding).add(amountGenerator.multiplyUnsafe(units));
  return isSame(commitment, expected.toBytes()) ? units : null;
}

/** Follows the derivation in the hash that masks a payment id (monero's src/device/device_default.cpp). */
const paymentIdTail = 0x8d;

function decryptId(encrypted: Uint8Array | null, derivation: Uint8Array): Uint8Array | null {
  const pad = keccak(derivation, Uint8Array.of(paymentIdTail));
  return encrypted === null ? null : encrypted.map((byte, at) => byte ^ (pad[at] ?? 0));
}

function isSame(a: Uint8Array | null, b: Uint8Array): boolean {
  return a !== null && Buffer.from(a).equals(b);
}
