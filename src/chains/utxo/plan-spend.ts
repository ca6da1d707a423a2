import type { AddressTypeName } from "../../currencies/utxo-facts.ts";
import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { Coin } from "../paying-port.ts";
import {
  type Candidate,
  selectChangeless,
  selectFewest,
  sumOf,
  weightOfAll,
} from "../select-coins.ts";
import { byteBasis, type FeeBasis } from "./fee-basis.ts";
import {
  feeAt,
  feeOfWeight,
  inputWeight,
  outputWeight,
  standardWeightMax,
} from "./transaction-weight.ts";

/** A coin of a known address type. */
export type SpendableCoin = Coin & { readonly addressType: AddressTypeName };

/** The payments, the available coins and the change address. */
export type SpendRequest = {
  readonly coins: readonly SpendableCoin[];
  /** Sum of the payments. */
  readonly paid: bigint;
  /** Lengths of the payments' output scripts. */
  readonly scriptLengths: readonly number[];
  /** Virtual bytes by default. */
  readonly basis?: FeeBasis;
  readonly change: {
    readonly scriptLength: number;
    readonly addressType: AddressTypeName;
    /** Nodes do not relay a smaller change output. */
    readonly dust: bigint;
    /** The maximum number of outputs that change may be split into; one by default. */
    readonly partsMax?: number;
  };
};

/** The coins that pay, the change (null if there is none), and the fee, which is exactly the rest. */
export type Plan = {
  readonly coins: readonly SpendableCoin[];
  readonly change: bigint | null;
  /** The number of change outputs of about the same size; 0 without change. */
  readonly changeParts: number;
  readonly feeUnits: bigint;
  /** Virtual bytes, or what its `FeeBasis` counts instead. */
  readonly vsize: number;
};

/** Bounds of a fee for the transaction's size. */
export type FeeRule = {
  /** The target. */
  readonly aim: (size: number) => bigint;
  /** Nodes reject smaller fees. */
  readonly least: (size: number) => bigint;
  readonly most: bigint;
};

/**
 * The maximum number of change outputs: code that looks for payments among a transaction's outputs expects at most this many
 * others.
 */
export const changePartsMax = 4;

/**
 * Each part of split change must be worth this many times the transaction's fee, so that spending it costs only a small fraction
 * of it.
 */
const partTimesFee = 20n;

/**
 * Selects coins at a rate: an input counts with its value less its own cost, and coins below their own cost are left out. Avoids
 * change where its cost, now and when it is spent, exceeds the excess and what further inputs cost more now than at `futureRate`.
 * Null if the coins do not cover payments and fee.
 */
export function planAtRate(
  purse: SpendRequest,
  rate: bigint,
  futureRate: bigint,
  rule: FeeRule,
): Plan | null {
  const { basis = byteBasis, change, paid } = purse;
  const candidates = worthwhile(purse, rate);
  const target = paid + feeOfWeight(rate, baseQuarters(purse));
  const changeMin = maxBigInt(
    change.dust,
    feeOfWeight(futureRate, basis.inputQuarters(change.addressType)),
  );
  const changeCost = feeOfWeight(rate, basis.outputQuarters(change.scriptLength)) + changeMin;
  const weightMax = inputsWeightMax(purse);
  const fewest =
    selectFewest(candidates, target + changeCost, weightMax) ??
    selectFewest(candidates, target, weightMax);
  // What spending a coin now rather than later costs more.
  const surcharge = maxBigInt(0n, rate - futureRate);
  const spare = fewest === null ? null : weightOfAll(fewest) + weightFor(changeCost, surcharge);
  const changeless = selectChangeless(candidates, {
    target,
    window: changeCost - 1n,
    weightMax: Math.min(weightMax, spare ?? weightMax),
  });
  const selected =
    changeless ??
    itemsOf(fewest) ??
    // Together they may cover less than their parts would cost.
    (basis.isAdditive || weightOfAll(candidates) > weightMax ? null : itemsOf(candidates));
  return selected === null ? null : completePlan(purse, selected, changeMin, rule);
}

/**
 * Selects coins for a fixed fee. It uses few inputs, since each further one lowers the fee's rate, and omits change only if it
 * would be dust. Null if the coins do not cover payments and fee, or so many are needed that the fee is too low for their
 * size.
 */
export function planAtFee(
  purse: SpendRequest,
  feeUnits: bigint,
  leastRate: bigint,
  rule: FeeRule,
): Plan | null {
  const { change, paid } = purse;
  const target = paid + feeUnits;
  const weightMax = inputsWeightMax(purse);
  // Coins below their own cost are used only if the others do not suffice.
  for (const candidates of [worthwhile(purse, leastRate), atFaceValue(purse.coins)]) {
    const faces = candidates.map((candidate) => ({ ...candidate, value: candidate.item.units }));
    const fewest =
      selectFewest(faces, target + change.dust, weightMax) ??
      selectFewest(faces, target, weightMax);
    if (fewest === null) continue;
    const changeless = selectChangeless(faces, {
      target,
      window: change.dust - 1n,
      weightMax: weightOfAll(fewest) + outputWeight(change.scriptLength),
    });
    for (const selected of [changeless, itemsOf(fewest)]) {
      const plan = selected === null ? null : completePlan(purse, selected, change.dust, rule);
      if (plan !== null) return plan;
    }
  }
  return null;
}

/**
 * Settles change and fee of the selected coins, to the unit. Change is omitted only if it would be less than `changeMin`, so
 * little more than the target fee is ever burned. Null if the coins do not cover it, or no fee is within the bounds.
 */
export function completePlan(
  purse: SpendRequest,
  coins: readonly SpendableCoin[],
  changeMin: bigint,
  rule: FeeRule,
): Plan | null {
  const { basis = byteBasis, change, paid, scriptLengths } = purse;
  const inputs = coins.map(({ addressType }) => addressType);
  const rest = coins.reduce((sum, { units }) => sum + units, 0n) - paid;
  const large = basis.sizeOf({ inputs, scriptLengths: [...scriptLengths, change.scriptLength] });
  const withChange = (feeUnits: bigint): Plan | null =>
    isWithin(feeUnits, large, rule)
      ? { coins, change: rest - feeUnits, changeParts: 1, feeUnits, vsize: large }
      : null;
  const aimed = rule.aim(large);
  if (rest - aimed >= changeMin) {
    const undivided = { coins, rest, feeUnits: aimed, vsize: large };
    return splitPlan(purse, undivided, changeMin, rule) ?? withChange(aimed);
  }
  // A transaction needs an output.
  if (scriptLengths.length === 0) return null;
  const small = basis.sizeOf({ inputs, scriptLengths });
  if (rest < rule.aim(small)) return null;
  if (isWithin(rest, small, rule))
    return { coins, change: null, changeParts: 0, feeUnits: rest, vsize: small };
  // Too much to burn, and too little for change at that fee: a slightly smaller fee makes room for change.
  const reduced = rest - change.dust;
  return reduced <= aimed ? withChange(reduced) : null;
}

/**
 * Splits change into as many parts as possible. Each part could make this transaction's payments again and is worth far more than
 * it costs to spend, and the fee rate is no lower than with `one` part. Null if two are too many. `rest` is the coins' value
 * left for change and fee together.
 */
function splitPlan(
  { basis = byteBasis, change, paid, scriptLengths }: SpendRequest,
  one: Pick<Plan, "coins" | "feeUnits" | "vsize"> & { readonly rest: bigint },
  changeMin: bigint,
  rule: FeeRule,
): Plan | null {
  const { coins, rest } = one;
  const inputs = coins.map(({ addressType }) => addressType);
  for (let parts = change.partsMax ?? 1; parts > 1; parts -= 1) {
    const changeLengths = Array.from({ length: parts }, () => change.scriptLength);
    const size = basis.sizeOf({ inputs, scriptLengths: [...scriptLengths, ...changeLengths] });
    const feeUnits = rule.aim(size);
    const least = [changeMin, change.dust, partTimesFee * feeUnits].reduce(maxBigInt, paid);
    const isRateKept = feeUnits * BigInt(one.vsize) >= (one.feeUnits - 1n) * BigInt(size);
    const areWorthIt = rest - feeUnits >= least * BigInt(parts);
    if (isRateKept && areWorthIt && isWithin(feeUnits, size, rule))
      return { coins, change: rest - feeUnits, changeParts: parts, feeUnits, vsize: size };
  }
  return null;
}

/** The weight that costs so many units at a rate; unlimited at none. */
function weightFor(units: bigint, rate: bigint): number {
  return rate <= 0n ? Number.POSITIVE_INFINITY : Number((units * 4_000n) / rate);
}

/** The units that the coins lack to cover payments and fee at that rate; 0 if none. */
export function missingAtRate(purse: SpendRequest, rate: bigint): bigint {
  const target = purse.paid + feeOfWeight(rate, baseQuarters(purse));
  return maxBigInt(0n, target - sumOf(worthwhile(purse, rate)));
}

/** Coins worth more than spending them costs, with their net value. */
export function worthwhile(
  { basis = byteBasis, coins }: Pick<SpendRequest, "basis" | "coins">,
  rate: bigint,
): readonly Candidate<SpendableCoin>[] {
  return coins.flatMap((item) => {
    const weight = inputWeight(item.addressType);
    const value = item.units - feeOfWeight(rate, basis.inputQuarters(item.addressType));
    return value > 0n ? [{ item, value, weight }] : [];
  });
}

/** A fee rule that targets a rate, up to the maximum. */
export function ruleOfRate(rate: bigint, leastRate: bigint, most: bigint): FeeRule {
  return {
    aim: (size) => minBigInt(feeAt(rate, size), most),
    least: (size) => feeAt(leastRate, size),
    most,
  };
}

function atFaceValue(coins: readonly SpendableCoin[]): readonly Candidate<SpendableCoin>[] {
  return coins.map((item) => ({ item, value: item.units, weight: inputWeight(item.addressType) }));
}

/** What is charged for everything except inputs and change. */
function baseQuarters({ basis = byteBasis, coins, scriptLengths }: SpendRequest): number {
  return basis.baseQuarters(scriptLengths, coins.length);
}

function inputsWeightMax({ coins, scriptLengths, change }: SpendRequest): number {
  const base = byteBasis.baseQuarters(scriptLengths, coins.length);
  return standardWeightMax - base - outputWeight(change.scriptLength);
}

function isWithin(feeUnits: bigint, size: number, rule: FeeRule): boolean {
  return feeUnits >= rule.least(size) && feeUnits <= rule.most;
}

function itemsOf<Item>(selected: readonly Candidate<Item>[] | null): readonly Item[] | null {
  return selected?.map(({ item }) => item) ?? null;
}
