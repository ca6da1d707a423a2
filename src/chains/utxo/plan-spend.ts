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

/** A coin whose type this family knows. */
export type SpendableCoin = Coin & { readonly addressType: AddressTypeName };

/** What is to be paid, with what, and where the rest goes. */
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
  };
};

/** Which coins pay, what goes back as change (null: none), and the fee: exactly the rest. */
export type Plan = {
  readonly coins: readonly SpendableCoin[];
  readonly change: bigint | null;
  readonly feeUnits: bigint;
  readonly vsize: number;
};

/** What a fee must be, by the transaction's size in virtual bytes. */
export type FeeRule = {
  /** What is aimed at. */
  readonly aim: (vsize: number) => bigint;
  /** Below it nodes refuse. */
  readonly least: (vsize: number) => bigint;
  readonly most: bigint;
};

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
  const changeMin = largerOf(change.dust, feeOfWeight(futureRate, inputWeight(change.addressType)));
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
      ? { coins, change: rest - feeUnits, feeUnits, vsize: large }
      : null;
  const aimed = rule.aim(large);
  if (rest - aimed >= changeMin) return withChange(aimed);
  // A transaction needs an output.
  if (scriptLengths.length === 0) return null;
  const small = virtualSizeOf({ inputs, scriptLengths });
  if (rest < rule.aim(small)) return null;
  if (isWithin(rest, small, rule)) return { coins, change: null, feeUnits: rest, vsize: small };
  // More than may be burnt, and too little for change at that fee: a slightly smaller fee makes room for it.
  const reduced = rest - change.dust;
  return reduced <= aimed ? withChange(reduced) : null;
}

/** What the coins lack to cover payments and fee at that rate, in units; 0 where they do. */
export function missingAtRate(purse: Purse, rate: bigint): bigint {
  const target = purse.paid + feeOfWeight(rate, baseWeight(purse));
  return largerOf(0n, target - sumOf(worthwhile(purse.coins, rate)));
}

/** Coins that are worth more than spending them costs, by what they are worth then. */
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
    aim: (vsize) => lesserOf(feeAt(rate, vsize), most),
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

export function largerOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function lesserOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
