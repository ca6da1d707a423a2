import { readPoint, toHex } from "./crypto/points.ts";
import { amountOf, derivationOf, outputScalar, paidSpendKey, viewTagOf } from "./crypto/receive.ts";
import type { MoneroTransaction, TransactionOutput } from "./transaction.ts";

/** An output that may pay an address of the view key. */
export type ScannedOutput = {
  readonly index: number;
  /** The public spend key of the address that it pays, in hexadecimal. If it pays nobody of ours, no address has that key. */
  readonly spendKey: string;
  readonly units: bigint;
  readonly oneTimeKey: string;
};

/**
 * Finds the outputs of a transaction that may pay an address of the view key: all that do, and of each 256 others about one if the amount is
 * public. What claims an amount that its commitment does not hold is no payment and left out, and so is what Monero's own wallet does
 * not see or could not spend (`process_new_transaction` in src/wallet/wallet2.cpp): an output of nothing, and each one of a transaction that
 * has keys for its outputs and none of its own, or whose keys for its outputs are not all points. An output whose amount is hidden is found once, whichever and however many keys lead to it;
 * of another one, each key may lead to another spend key, of which one at most is an address's.
 */
export function scanTransaction(
  viewSecret: bigint,
  transaction: MoneroTransaction,
): readonly ScannedOutput[] {
  const { extra, outputs } = transaction;
  if (extra.publicKeys.length === 0 || !areOutputKeysPoints(transaction)) return [];
  const found = new Map<string, ScannedOutput>();
  const tryOutput = (output: TransactionOutput, index: number, derivation: Uint8Array): void => {
    const isMasked = output.amount.kind === "masked";
    if (isMasked && found.has(String(index))) return;
    const scanned = scanOutput(output, index, derivation);
    if (scanned === null) return;
    found.set(isMasked ? String(index) : `${index} ${scanned.spendKey}`, scanned);
  };
  for (const publicKey of extra.publicKeys) {
    const derivation = deriveFrom(publicKey, viewSecret);
    if (derivation === null) continue;
    for (const [index, output] of outputs.entries()) tryOutput(output, index, derivation);
  }
  for (const [index, output] of outputs.entries()) {
    const key = extra.outputKeys[index];
    const derivation = key === undefined ? null : deriveFrom(key, viewSecret);
    if (derivation !== null) tryOutput(output, index, derivation);
  }
  return [...found.values()].sort((one, other) => one.index - other.index);
}

/**
 * Whether every key that the transaction has for one of its outputs is a point. Otherwise Monero's own wallet sees outputs that it cannot spend:
 * where it looks for payments, another point replaces such a key; where it computes key images, it leaves the key
 * out, so the later ones move up (`generate_key_image_helper` in src/cryptonote_basic/cryptonote_format_utils.cpp). No wallet makes one, and no
 * node refuses it. For a key of the whole transaction it does the same in both places.
 */
export function areOutputKeysPoints({ extra }: Pick<MoneroTransaction, "extra">): boolean {
  return extra.outputKeys.every((key) => readPoint(key) !== null);
}

function deriveFrom(publicKey: Uint8Array, viewSecret: bigint): Uint8Array | null {
  const point = readPoint(publicKey);
  return point === null ? null : derivationOf(point, viewSecret);
}

function scanOutput(
  { amount, key, viewTag }: TransactionOutput,
  index: number,
  derivation: Uint8Array,
): ScannedOutput | null {
  if (viewTag !== null && viewTagOf(derivation, index) !== viewTag) return null;
  const outputKey = readPoint(key);
  if (outputKey === null) return null;
  const scalar = outputScalar(derivation, index);
  const units =
    amount.kind === "public"
      ? amount.units
      : amountOf(amount.maskedAmount, amount.commitment, scalar);
  if (units === null || units === 0n) return null;
  return {
    index,
    spendKey: toHex(paidSpendKey(outputKey, scalar)),
    units,
    oneTimeKey: toHex(key),
  };
}
