import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { type Candidate, selectChangeless, selectFewest } from "../select-coins.ts";
import type { AssetUnits } from "./block.ts";
import type { DraftInput } from "./draft-body.ts";
import type { CardanoParameters } from "./parameters.ts";
import {
  feeOf,
  leastUnits,
  type SizedOutput,
  transactionBytes,
  valueBytes,
} from "./transaction-size.ts";

/** A coin of ours with what else its output holds. */
export type HeldCoin = DraftInput & {
  readonly assets: readonly AssetUnits[];
  readonly scriptBytes: number;
};

export type SpendRequest = {
  readonly coins: readonly HeldCoin[];
  /** Coins that must be spent, whatever others are. */
  readonly required: readonly HeldCoin[];
  readonly payments: readonly SizedOutput[];
  /** Bytes of a change address, and how many there are. */
  readonly change: { readonly addressBytes: number; readonly partsMax: number };
  readonly ttl: number;
  readonly feeCeiling: bigint;
  readonly parameters: CardanoParameters;
};

export type Plan = {
  readonly coins: readonly HeldCoin[];
  /** In order; tokens are in the first one. */
  readonly change: readonly { readonly units: bigint; readonly assets: readonly AssetUnits[] }[];
  readonly feeUnits: bigint;
};

export type PlanOutcome =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "insufficient"; readonly missing: bigint }
  | { readonly kind: "tooExpensive"; readonly feeUnits: bigint };

/** Spending one more coin takes about so many bytes: the input, and the signature of its key. */
const inputBytes = 36 + 101;
/** A change output to one of our addresses. */
const changeBytes = 40;
/** A part of split change is worth at least so many times the fee. */
const partTimesFee = 20n;

/**
 * Selects coins for the payments; without payments, all coins that fit go into one. Coins alone come first. Those that lie with tokens, or carry a
 * script, are used when the others do not suffice, and their tokens come back with the change.
 */
export function planSpend(request: SpendRequest): PlanOutcome {
  const selections = request.payments.length === 0 ? [everything(request)] : selectionsFor(request);
  let dearest: bigint | null = null;
  for (const coins of selections) {
    const made = coins === null ? null : complete(request, coins, false);
    if (made === null || typeof made === "bigint") continue;
    if (made.feeUnits <= request.feeCeiling) return { kind: "plan", plan: made };
    dearest ??= made.feeUnits;
  }
  // Too little for change, which must hold about one ada: the rest becomes part of the fee, if that is allowed.
  for (const coins of selections) {
    const made = coins === null ? null : complete(request, coins, true);
    if (made !== null && typeof made !== "bigint" && made.feeUnits <= request.feeCeiling)
      return { kind: "plan", plan: made };
  }
  if (dearest !== null) return { kind: "tooExpensive", feeUnits: dearest };
  return { kind: "insufficient", missing: missingFor(request) };
}

function selectionsFor(request: SpendRequest): readonly (readonly HeldCoin[] | null)[] {
  const { change, coins, parameters, required } = request;
  const pure = coins.filter(isPure);
  const least = leastUnits(parameters, { addressBytes: change.addressBytes, assets: [] });
  const empty = feeOf(parameters, shapeOf(request, required, []), 0);
  const target = sumOf(request.payments) + empty - sumOf(required);
  const withChange = target + least + parameters.feePerByte * BigInt(changeBytes);
  const window = parameters.feePerByte * BigInt(changeBytes + inputBytes);
  const weightMax = parameters.transactionBytesMax;
  const pureOnes = candidates(pure, parameters);
  const all = candidates(fittingTogether(coins, parameters), parameters);
  const exact = { target, window, weightMax };
  const and = (selected: readonly HeldCoin[] | null): readonly HeldCoin[] | null =>
    selected === null ? null : [...required, ...selected];
  const some = (from: typeof all, needed: bigint): readonly HeldCoin[] | null =>
    needed <= 0n ? [] : fewest(from, needed, weightMax);
  return [
    and(target > 0n ? selectChangeless(pureOnes, exact) : null),
    and(some(pureOnes, withChange)),
    and(some(all, withChange)),
    ...withGrowing(all, withChange, least, weightMax).map(and),
    and(some(pureOnes, target)),
    and(some(all, target)),
  ];
}

/** For tokens that need more than the least change. */
function withGrowing(
  from: readonly Candidate<HeldCoin>[],
  needed: bigint,
  least: bigint,
  weightMax: number,
): readonly (readonly HeldCoin[] | null)[] {
  return [1n, 2n, 4n, 8n].map((times) => fewest(from, needed + times * least, weightMax));
}

function fewest(
  from: readonly Candidate<HeldCoin>[],
  needed: bigint,
  weightMax: number,
): readonly HeldCoin[] | null {
  return selectFewest(from, needed, weightMax)?.map(({ item }) => item) ?? null;
}

function candidates(
  coins: readonly HeldCoin[],
  { feePerByte }: CardanoParameters,
): readonly Candidate<HeldCoin>[] {
  const cost = feePerByte * BigInt(inputBytes);
  return coins.flatMap((item) =>
    item.units > cost ? [{ item, value: item.units - cost, weight: inputBytes }] : [],
  );
}

/** As many coins as one transaction can merge, required ones first. */
function everything(request: SpendRequest): readonly HeldCoin[] {
  const { coins, parameters, required } = request;
  const merged = [...required];
  for (const coin of fittingTogether(coins, parameters)) {
    const more = [...merged, coin];
    if (
      transactionBytes(shapeOf(request, more, [changeOf(request, more, 0n)])) >
      parameters.transactionBytesMax
    )
      break;
    merged.push(coin);
  }
  return merged;
}

/** Coins alone, and those with tokens as long as all tokens fit into one output. */
function fittingTogether(
  coins: readonly HeldCoin[],
  { valueBytesMax }: CardanoParameters,
): readonly HeldCoin[] {
  const fitting: HeldCoin[] = [];
  for (const coin of coins.toSorted((one, other) => one.assets.length - other.assets.length)) {
    const assets = assetsOf([...fitting, coin]);
    if (coin.assets.length === 0 || valueBytes({ assets, units: 2n ** 40n }) <= valueBytesMax)
      fitting.push(coin);
  }
  return fitting;
}

/** The plan for these coins; what is missing where they do not suffice; null if they are too many for one transaction. */
function complete(
  request: SpendRequest,
  coins: readonly HeldCoin[],
  maySpendRest: boolean,
): Plan | bigint | null {
  const { parameters, payments } = request;
  if (coins.length === 0) return null;
  const scriptBytes = coins.reduce((sum, coin) => sum + coin.scriptBytes, 0);
  const rest = sumOf(coins) - sumOf(payments);
  const feeWith = (change: readonly SizedOutput[]): bigint =>
    feeOf(parameters, shapeOf(request, coins, change), scriptBytes);
  const isTooLarge = (change: readonly SizedOutput[]): boolean =>
    transactionBytes(shapeOf(request, coins, change)) > parameters.transactionBytesMax;
  const one = changeOf(request, coins, maxBigInt(rest, 0n));
  const least = leastUnits(parameters, one);
  const fee = feeWith([one]);
  if (rest - fee >= least) {
    if (isTooLarge([one])) return null;
    const parts = split(request, coins, rest, feeWith, isTooLarge);
    if (parts !== null) return parts;
    const change = [{ units: rest - fee, assets: one.assets }];
    return { coins, change, feeUnits: fee };
  }
  const bare = feeWith([]);
  const isExact =
    rest >= bare && rest - bare < parameters.feePerByte * BigInt(changeBytes + inputBytes);
  const mayEnd = one.assets.length === 0 && payments.length > 0 && !isTooLarge([]);
  if (mayEnd && rest >= bare && (isExact || maySpendRest))
    return { coins, change: [], feeUnits: rest };
  return fee + least - rest;
}

/** Equal parts, the first one with the remainder and all tokens, so that later payments find a coin each. */
function split(
  request: SpendRequest,
  coins: readonly HeldCoin[],
  rest: bigint,
  feeWith: (change: readonly SizedOutput[]) => bigint,
  isTooLarge: (change: readonly SizedOutput[]) => boolean,
): Plan | null {
  const { change, parameters, payments } = request;
  for (let parts = change.partsMax; parts > 1; parts -= 1) {
    const sized = Array.from({ length: parts }, (_, at) =>
      changeOf(request, at === 0 ? coins : [], rest),
    );
    const feeUnits = feeWith(sized);
    const least = [
      sumOf(payments),
      partTimesFee * feeUnits,
      leastUnits(parameters, changeOf(request, coins, rest)),
    ].reduce(maxBigInt);
    const part = (rest - feeUnits) / BigInt(parts);
    if (part < least || feeUnits > request.feeCeiling || isTooLarge(sized)) continue;
    return {
      coins,
      feeUnits,
      change: sized.map(({ assets }, at) => ({
        assets,
        units: at === 0 ? rest - feeUnits - part * BigInt(parts - 1) : part,
      })),
    };
  }
  return null;
}

/** What all coins together lack, at least one unit. */
function missingFor(request: SpendRequest): bigint {
  const { coins, parameters, required } = request;
  const largest = coins.toSorted((one, other) => (one.units < other.units ? 1 : -1));
  const usable = everything({ ...request, coins: largest });
  const found = complete(request, usable.length === 0 ? required : usable, false);
  if (typeof found === "bigint") return maxBigInt(found, 1n);
  const fee = feeOf(parameters, shapeOf(request, usable, []), 0);
  return maxBigInt(sumOf(request.payments) + fee - sumOf(usable), 1n);
}

function shapeOf(
  { payments, ttl }: SpendRequest,
  coins: readonly HeldCoin[],
  change: readonly SizedOutput[],
) {
  return {
    inputIndexes: coins.map(({ claim }) => Number(claim.split(":")[1])),
    keys: new Set(coins.map(({ branch, keyIndex }) => `${branch}/${keyIndex}`)).size,
    outputs: [...payments, ...change],
    ttl,
  };
}

function changeOf(
  { change }: SpendRequest,
  coins: readonly HeldCoin[],
  units: bigint,
): SizedOutput {
  return { addressBytes: change.addressBytes, units, assets: assetsOf(coins) };
}

/** All tokens of the coins, each asset once. */
function assetsOf(coins: readonly HeldCoin[]): readonly AssetUnits[] {
  const sums = new Map<string, bigint>();
  for (const { assets } of coins)
    for (const { asset, units } of assets) sums.set(asset, (sums.get(asset) ?? 0n) + units);
  return [...sums]
    .map(([asset, units]) => ({ asset, units }))
    .toSorted((one, other) => (one.asset < other.asset ? -1 : 1));
}

function isPure({ assets, scriptBytes }: HeldCoin): boolean {
  return assets.length === 0 && scriptBytes === 0;
}

function sumOf(parts: readonly { readonly units: bigint }[]): bigint {
  return parts.reduce((sum, { units }) => sum + units, 0n);
}
