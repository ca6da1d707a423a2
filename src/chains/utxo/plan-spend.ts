import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { Coin } from "../paying-port.ts";
import {
  type Candidate,
  selectChangeless,
  selectFewest,
  sumOf,
  weightOfAll,
} from "./select-coins.ts";
import {
  feeAt,
  feeOfWeight,
  inputWeight,
  outputWeight,
  standardWeightMax,
  virtualSizeOf,
  weightOf,
} from "./transaction-weight.ts";
import type { AddressTypeName } from "./utxo-chain.ts";

/** A coin of a known address type. */
export type SpendableCoin = Coin & { readonly addressType: AddressTypeName };

/** The payments, the available coins and the change address. */
export type Purse = {
  readonly coins: readonly SpendableCoin[];
  /** Sum of the payments. */
  readonly paid: bigint;
  /** Lengths of the payments' output scripts. */
  readonly scriptLengths: readonly number[];
  readonly change: {
    readonly scriptLength: number;
    readonly addressType: AddressTypeName;
    /** A smaller change output is not relayed. */
    readonly dust: bigint;
    /** Most outputs that change may be split into; one unless told. */
    readonly partsMax?: number;
  };
};

/** Which coins pay, what goes back as change (null: none), and the fee: exactly the rest. */
export type Plan = {
  readonly coins: readonly SpendableCoin[];
  readonly change: bigint | null;
  /** Into how many outputs of the same size, about, it is split; 0 where there is none. */
  readonly changeParts: number;
  readonly feeUnits: bigint;
  readonly vsize: number;
};

/** The bounds of a fee by the transaction's size in virtual bytes. */
export type FeeRule = {
  /** The target. */
  readonly aim: (vsize: number) => bigint;
  /** Nodes reject less. */
  readonly least: (vsize: number) => bigint;
  readonly most: bigint;
};

/** What change may be split into at most: who looks for payments among a transaction's outputs counts on no more beside them. */
export const changePartsMax = 4;

/** So many times the transaction's fee each part of split change must be worth: then using it costs next to nothing of it. */
const partTimesFee = 20n;

/** Rounding each part up by itself is never cheaper than the whole; the whole's own rounding is worth 3 units of weight. */
const roundingWeight = 3;

/**
 * Chooses coins at a rate: an input counts for what it holds less its own cost, and coins below their own cost not at all.
 * Change is avoided where what it would cost, now and when it is spent, is more than the excess. Null where the coins do
 * not cover payments and fee.
 */
export function planAtRate(
  purse: Purse,
  rate: bigint,
  futureRate: bigint,
  rule: FeeRule,
): Plan | null {
  const { change, paid } = purse;
  const candidates = worthwhile(purse.coins, rate);
  const target = paid + feeOfWeight(rate, baseWeight(purse));
  const changeMin = maxBigInt(
    change.dust,
    feeOfWeight(futureRate, inputWeight(change.addressType)),
  );
  const changeCost = feeOfWeight(rate, outputWeight(change.scriptLength)) + changeMin;
  const weightMax = inputsWeightMax(purse);
  const selected =
    selectChangeless(candidates, { target, window: changeCost - 1n, weightMax }) ??
    itemsOf(selectFewest(candidates, target + changeCost, weightMax)) ??
    itemsOf(selectFewest(candidates, target, weightMax));
  return selected === null ? null : completePlan(purse, selected, changeMin, rule);
}

/**
 * Chooses coins for a fee that is given. Few inputs, since each further one lowers the rate that the fee amounts to; no
 * change only where what is left would be dust. Null where the coins do not cover payments and fee, or only so many of
 * them that the fee is too low for their size.
 */
export function planAtFee(
  purse: Purse,
  feeUnits: bigint,
  leastRate: bigint,
  rule: FeeRule,
): Plan | null {
  const { change, paid } = purse;
  const target = paid + feeUnits;
  const weightMax = inputsWeightMax(purse);
  // Coins below their own cost only where it does not go without them.
  for (const candidates of [worthwhile(purse.coins, leastRate), atFaceValue(purse.coins)]) {
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
 * Settles change and fee of chosen coins, to the unit. There is no change only where it would be less than `changeMin`, so
 * little more than the fee aimed at is ever burnt. Null where the coins do not cover it, or a fee in bounds is not possible.
 */
export function completePlan(
  purse: Purse,
  coins: readonly SpendableCoin[],
  changeMin: bigint,
  rule: FeeRule,
): Plan | null {
  const { change, paid, scriptLengths } = purse;
  const inputs = coins.map(({ addressType }) => addressType);
  const rest = coins.reduce((sum, { units }) => sum + units, 0n) - paid;
  const large = virtualSizeOf({ inputs, scriptLengths: [...scriptLengths, change.scriptLength] });
  const withChange = (feeUnits: bigint): Plan | null =>
    isWithin(feeUnits, large, rule)
      ? { coins, change: rest - feeUnits, changeParts: 1, feeUnits, vsize: large }
      : null;
  const aimed = rule.aim(large);
  if (rest - aimed >= changeMin) {
    const one = { coins, rest, feeUnits: aimed, vsize: large };
    return splitPlan(purse, one, changeMin, rule) ?? withChange(aimed);
  }
  // A transaction needs an output.
  if (scriptLengths.length === 0) return null;
  const small = virtualSizeOf({ inputs, scriptLengths });
  if (rest < rule.aim(small)) return null;
  if (isWithin(rest, small, rule))
    return { coins, change: null, changeParts: 0, feeUnits: rest, vsize: small };
  // More than may be burnt, and too little for change at that fee: a slightly smaller fee makes room for it.
  const reduced = rest - change.dust;
  return reduced <= aimed ? withChange(reduced) : null;
}

/**
 * With change in several parts, as many as may be: each of them could make the payments of this transaction once more, is worth far
 * more than using it costs, and the rate of the fee is no lower than with `one` part. Null where two are too many. `rest` is what
 * the coins leave for change and fee together.
 */
function splitPlan(
  { change, paid, scriptLengths }: Purse,
  one: Pick<Plan, "coins" | "feeUnits" | "vsize"> & { readonly rest: bigint },
  changeMin: bigint,
  rule: FeeRule,
): Plan | null {
  const { coins, rest } = one;
  const inputs = coins.map(({ addressType }) => addressType);
  for (let parts = change.partsMax ?? 1; parts > 1; parts -= 1) {
    const changeLengths = Array.from({ length: parts }, () => change.scriptLength);
    const vsize = virtualSizeOf({ inputs, scriptLengths: [...scriptLengths, ...changeLengths] });
    const feeUnits = rule.aim(vsize);
    const least = [changeMin, change.dust, partTimesFee * feeUnits].reduce(maxBigInt, paid);
    const isRateKept = feeUnits * BigInt(one.vsize) >= (one.feeUnits - 1n) * BigInt(vsize);
    const areWorthIt = rest - feeUnits >= least * BigInt(parts);
    if (isRateKept && areWorthIt && isWithin(feeUnits, vsize, rule))
      return { coins, change: rest - feeUnits, changeParts: parts, feeUnits, vsize };
  }
  return null;
}

/** What the coins lack to cover payments and fee at that rate, in units; 0 where they do. */
export function missingAtRate(purse: Purse, rate: bigint): bigint {
  const target = purse.paid + feeOfWeight(rate, baseWeight(purse));
  return maxBigInt(0n, target - sumOf(worthwhile(purse.coins, rate)));
}

/** Coins worth more than spending them costs, with their net value. */
export function worthwhile(
  coins: readonly SpendableCoin[],
  rate: bigint,
): readonly Candidate<SpendableCoin>[] {
  return coins.flatMap((item) => {
    const weight = inputWeight(item.addressType);
    const value = item.units - feeOfWeight(rate, weight);
    return value > 0n ? [{ item, value, weight }] : [];
  });
}

/** A rule that aims at a rate, as far as the most allows. */
export function ruleOfRate(rate: bigint, leastRate: bigint, most: bigint): FeeRule {
  return {
    aim: (vsize) => minBigInt(feeAt(rate, vsize), most),
    least: (vsize) => feeAt(leastRate, vsize),
    most,
  };
}

function atFaceValue(coins: readonly SpendableCoin[]): readonly Candidate<SpendableCoin>[] {
  return coins.map((item) => ({ item, value: item.units, weight: inputWeight(item.addressType) }));
}

/** Of everything but inputs and change. */
function baseWeight({ coins, scriptLengths }: Purse): number {
  const longCount = coins.length < 253 ? 0 : 8;
  const witnessMark = 2;
  return weightOf({ inputs: [], scriptLengths }) + longCount + witnessMark + roundingWeight;
}

function inputsWeightMax(purse: Purse): number {
  return standardWeightMax - baseWeight(purse) - outputWeight(purse.change.scriptLength);
}

function isWithin(feeUnits: bigint, vsize: number, rule: FeeRule): boolean {
  return feeUnits >= rule.least(vsize) && feeUnits <= rule.most;
}

function itemsOf<Item>(selected: readonly Candidate<Item>[] | null): readonly Item[] | null {
  return selected?.map(({ item }) => item) ?? null;
}
