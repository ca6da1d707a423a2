import type { AddressTypeName } from "../../currencies/utxo-facts.ts";

/*
 * Sizes of unsigned transactions (BIP-141). ECDSA signatures count as 71 bytes with their sighash byte: the signer grinds for a
 * low R, and about one in a hundred is a byte shorter, so the actual size is never larger.
 */

/** A transaction's inputs by their types, and the lengths of its output scripts. */
export type Shape = {
  readonly inputs: readonly AddressTypeName[];
  readonly scriptLengths: readonly number[];
};

/** Nodes relay no heavier transaction (`MAX_STANDARD_TX_WEIGHT`). */
export const standardWeightMax = 400_000;

/** Outpoint 36, empty script 1, sequence 4. */
const bareInputLength = 41;
const pushedSignature = 1 + 71;
const pushedPublicKey = 1 + 33;

/** Non-witness bytes, which count four times, and witness bytes, which count once. */
const inputLengths: Readonly<Record<AddressTypeName, readonly [number, number]>> = {
  "": [bareInputLength + pushedSignature + pushedPublicKey, 0],
  legacy: [bareInputLength + pushedSignature + pushedPublicKey, 0],
  // The redeem script of 22 bytes and its push.
  "p2sh-segwit": [bareInputLength + 23, 1 + pushedSignature + pushedPublicKey],
  bech32: [bareInputLength, 1 + pushedSignature + pushedPublicKey],
  // A Schnorr signature of the default sighash type.
  bech32m: [bareInputLength, 1 + 1 + 64],
};

/** Marker and flag of the extended format. */
const witnessMarkWeight = 2;
/** Version and lock time. */
const frameLength = 8;

/** The maximum weight that an input adds; a legacy input also counts an empty witness beside segwit inputs. */
export function inputWeight(addressType: AddressTypeName): number {
  const [plain, witness] = inputLengths[addressType];
  return 4 * plain + (witness === 0 ? 1 : witness);
}

/** The bytes of an input at most, without its witness. */
export function plainInputLength(addressType: AddressTypeName): number {
  return inputLengths[addressType][0];
}

/** The bytes of an output with a script of that many bytes. */
export function outputLength(scriptLength: number): number {
  return 8 + countLength(scriptLength) + scriptLength;
}

/** The weight of an output with a script of that many bytes. */
export function outputWeight(scriptLength: number): number {
  return 4 * outputLength(scriptLength);
}

/** The weight of a signed transaction of this shape, exact except for short signatures. */
export function weightOf({ inputs, scriptLengths }: Shape): number {
  const hasWitness = inputs.some((type) => inputLengths[type][1] > 0);
  let weight = 4 * (frameLength + countLength(inputs.length) + countLength(scriptLengths.length));
  if (hasWitness) weight += witnessMarkWeight;
  for (const type of inputs) weight += hasWitness ? inputWeight(type) : 4 * inputLengths[type][0];
  for (const length of scriptLengths) weight += outputWeight(length);
  return weight;
}

/** Virtual bytes of a weight, rounded up. */
export function virtualSize(weight: number): number {
  return Math.ceil(weight / 4);
}

/** The size in virtual bytes, a quarter of the weight rounded up. */
export function virtualSizeOf(shape: Shape): number {
  return virtualSize(weightOf(shape));
}

/** The fee for that many virtual bytes at a rate in thousandths of a unit per virtual byte, rounded up as nodes do. */
export function feeAt(rate: bigint, vsize: number): bigint {
  return (rate * BigInt(vsize) + 999n) / 1000n;
}

/** The fee for a part in quarters of a size, as weight is, rounded up, so that parts are never cheaper than the whole. */
export function feeOfWeight(rate: bigint, weight: number): bigint {
  return (rate * BigInt(weight) + 3999n) / 4000n;
}

/** The family's variable-length count. */
function countLength(count: number): number {
  if (count < 0xfd) return 1;
  return count <= 0xffff ? 3 : 5;
}
