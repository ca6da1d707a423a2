import type { AddressTypeName } from "../../currencies/utxo-facts.ts";
import {
  inputWeight,
  outputLength,
  outputWeight,
  plainInputLength,
  type Shape,
  standardWeightMax,
  virtualSize,
  virtualSizeOf,
  weightOf,
} from "./transaction-weight.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/**
 * What fees are charged for. Rates are thousandths of a unit per unit of size. The parts of a transaction are measured in quarters
 * of that unit, as weight is, so that parts are never cheaper than the whole.
 */
export type FeeBasis = {
  /** The size of a transaction of this shape, at most. */
  readonly sizeOf: (shape: Shape) => number;
  /** What an input, and an output, adds at most. */
  readonly inputQuarters: (addressType: AddressTypeName) => number;
  readonly outputQuarters: (scriptLength: number) => number;
  /** Everything except inputs and change, of a transaction of up to that many inputs. */
  readonly baseQuarters: (scriptLengths: readonly number[], inputsMax: number) => number;
  /** Whether the parts add up to the whole, except for rounding; otherwise to more. */
  readonly isAdditive: boolean;
  /** No standard transaction is larger. */
  readonly sizeMax: number;
};

/** Rounding each part up separately is never cheaper than rounding the whole, whose own rounding is worth 3 weight units. */
const roundingWeight = 3;
const witnessMark = 2;

/** Virtual bytes, as Bitcoin's nodes charge. */
export const byteBasis: FeeBasis = {
  sizeOf: virtualSizeOf,
  inputQuarters: inputWeight,
  outputQuarters: outputWeight,
  baseQuarters: (scriptLengths, inputsMax) => {
    const longCount = inputsMax < 253 ? 0 : 8;
    return weightOf({ inputs: [], scriptLengths }) + longCount + witnessMark + roundingWeight;
  },
  isAdditive: true,
  sizeMax: virtualSize(standardWeightMax),
};

/** Logical actions of ZIP-317: inputs and outputs count by their bytes, the larger number of both, and never less than two. */
const standardInputLength = 150;
const standardOutputLength = 34;
const graceActions = 2;

/** Logical actions, as Zcash's nodes charge for transactions without shielded parts. */
export const actionBasis: FeeBasis = {
  sizeOf: ({ inputs, scriptLengths }) =>
    Math.max(
      graceActions,
      Math.ceil(sumOf(inputs.map(plainInputLength)) / standardInputLength),
      actionsOfOutputs(scriptLengths),
    ),
  inputQuarters: () => 4,
  outputQuarters: () => 4,
  // The first input is free beside the others' share.
  baseQuarters: (scriptLengths) =>
    4 * (Math.max(graceActions, actionsOfOutputs(scriptLengths)) - 1),
  isAdditive: false,
  sizeMax: Math.ceil(virtualSize(standardWeightMax) / standardOutputLength),
};

function actionsOfOutputs(scriptLengths: readonly number[]): number {
  return Math.ceil(sumOf(scriptLengths.map(outputLength)) / standardOutputLength);
}

function sumOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** The basis for the chain's fact `feeRule`. */
export function feeBasisOf({ feeRule }: Pick<UtxoChain, "feeRule">): FeeBasis {
  return feeRule === "zip317" ? actionBasis : byteBasis;
}
