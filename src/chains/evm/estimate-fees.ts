import { assert, present } from "../../platform/kernel/assert.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";

/** The price of a unit of gas, in wei (EIP-1559). If a chain has no base fee, both members are its gas price. */
export type GasFees = {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
};

/** Current fee levels: `low` suffices if fees do not rise, `high` also if blocks stay full for a while. */
export type FeeLevels = {
  /** `legacy`: the chain has no base fee, and its transactions name one price. */
  readonly kind: "eip1559" | "legacy";
  readonly low: GasFees;
  readonly medium: GasFees;
  readonly high: GasFees;
};

/** The `eth_feeHistory` of some blocks, oldest first. */
export type FeeHistory = {
  /** The last one is the next block's. */
  readonly baseFees: readonly bigint[];
  /** For each block, the tips that its transactions paid at the `tipPercentiles` of its gas. */
  readonly tips: readonly (readonly bigint[])[];
};

/** Percentiles of a block's gas for the low, medium and high level. */
export const tipPercentiles = [10, 50, 90] as const;
export const historyBlocks = 20;

/** EIP-1559: a full block raises the base fee by an eighth, and no supported chain raises it faster. */
const fullBlocks = { low: 1, medium: 3, high: 6 };

/**
 * Fees from recent blocks: the next base fee plus room for one, three or six full blocks in a row, and the median over the blocks
 * of the tips at the three percentiles, at least `leastTip`. Blocks without tips are ignored: they were empty, or their chain has
 * no tips.
 */
export function estimateFees(history: FeeHistory, leastTip: bigint): FeeLevels {
  const nextBaseFee = present(history.baseFees.at(-1), "a fee history names the next base fee");
  const tipped = history.tips.filter(isTipped);
  const level = (place: number, blocks: number): GasFees => {
    const tips = tipped.map((ofBlock) => present(ofBlock[place], "a tip per percentile"));
    const tip = maxBigInt(leastTip, median(tips));
    return {
      maxFeePerGas: afterFullBlocks(nextBaseFee, blocks) + tip,
      maxPriorityFeePerGas: tip,
    };
  };
  const levels = {
    low: level(0, fullBlocks.low),
    medium: level(1, fullBlocks.medium),
    high: level(2, fullBlocks.high),
  };
  assertOrdered(levels.low, levels.medium);
  assertOrdered(levels.medium, levels.high);
  return { kind: "eip1559", ...levels };
}

/** Whether any transaction tipped in the history's blocks. */
export function hasTips({ tips }: FeeHistory): boolean {
  return tips.some(isTipped);
}

function isTipped(ofBlock: readonly bigint[]): boolean {
  return ofBlock.some((tip) => tip > 0n);
}

/** On a chain without a base fee: the node's gas price, the same plus a tenth, and plus three tenths. The whole price is paid. */
export function estimateLegacyFees(gasPrice: bigint, leastTip: bigint): FeeLevels {
  const least = maxBigInt(gasPrice, leastTip);
  const price = (tenths: bigint): GasFees => {
    const fee = (least * tenths + 9n) / 10n;
    return { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
  };
  return { kind: "legacy", low: price(10n), medium: price(11n), high: price(13n) };
}

/** For a node with a base fee but no history: the part of its gas price above the base fee is the tip. */
export function estimateWithoutHistory(
  nextBaseFee: bigint,
  gasPrice: bigint,
  leastTip: bigint,
): FeeLevels {
  const tip = gasPrice > nextBaseFee ? gasPrice - nextBaseFee : 0n;
  return estimateFees({ baseFees: [nextBaseFee], tips: [[tip, tip, tip]] }, leastTip);
}

function afterFullBlocks(baseFee: bigint, blocks: number): bigint {
  let fee = baseFee;
  for (let block = 0; block < blocks; block += 1) fee += (fee + 7n) / 8n;
  return fee;
}

/** The upper one of two middle values; 0 of an empty list. */
function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor(sorted.length / 2)] ?? 0n;
}

function assertOrdered(lower: GasFees, higher: GasFees): void {
  assert(
    lower.maxFeePerGas <= higher.maxFeePerGas &&
      lower.maxPriorityFeePerGas <= higher.maxPriorityFeePerGas,
    "a lower fee level is above a higher one",
  );
}
