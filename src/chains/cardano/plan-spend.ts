import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { type Candidate, selectChangeless, selectFewest } from "../select-coins.ts";
import type { AssetUnits } from "./block.ts";
import type { DraftInput } from "./draft-body.ts";
import { type CardanoParameters, scriptFeeOf } from "./parameters.ts";
import { bundlesOf, canLie, merge } from "./token-bundles.ts";
import {
  feeOf,
  leastUnits,
  outputBytes,
  type SizedOutput,
  transactionBytes,
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
  /** Bytes of a change address, and into how many parts the change without tokens may be split. */
  readonly change: { readonly addressBytes: number; readonly partsMax: number };
  readonly ttl: number;
  readonly feeCeiling: bigint;
  readonly parameters: CardanoParameters;
};

export type Plan = {
  readonly coins: readonly HeldCoin[];
  /** In order: parts without tokens, then bundles of tokens. */
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
/** Coins with tokens or scripts leave so much of a transaction to payments and other coins. */
const otherShare = 4;
/** The scripts that the spent outputs of one transaction may carry together (a rule of the ledger, no parameter). */
const scriptBytesMax = 200 * 1_024;

/**
 * Selects coins for the payments; without payments, all coins that fit go into one. Coins alone come first. Those that lie with tokens, or carry a
 * script, are used when the others do not suffice. Their tokens come back in change of their own, which holds as little as the ledger allows.
 */
export function planSpend(request: SpendRequest): PlanOutcome {
  const isMerge = request.payments.length === 0;
  const selections = isMerge ? [mergeable(request)] : selectionsFor(request);
  let dearest: bigint | null = null;
  for (const coins of selections) {
    const made = coins === null ? null : complete(request, coins, false);
    if (made === null || typeof made === "bigint") continue;
    // A merge leaves fewer coins.
    if (isMerge && made.change.length >= made.coins.length) continue;
    if (made.feeUnits <= request.feeCeiling) return { kind: "plan", plan: made };
    dearest ??= made.feeUnits;
  }
  // Too little for change, which must hold about one ada: the rest becomes part of the fee, if that is allowed.
  for (const coins of isMerge ? [] : selections) {
    const made = coins === null ? null : complete(request, coins, true);
    if (made !== null && typeof made !== "bigint" && made.feeUnits <= request.feeCeiling)
      return { kind: "plan", plan: made };
  }
  if (dearest !== null) return { kind: "tooExpensive", feeUnits: dearest };
  return { kind: "insufficient", missing: missingFor(request) };
}

function selectionsFor(request: SpendRequest): readonly (readonly HeldCoin[] | null)[] {
  const { change, coins, parameters, required } = request;
  const least = leastUnits(parameters, { addressBytes: change.addressBytes, assets: [] });
  const kept = tokenOutputs(request, required);
  const empty = feeOf(parameters, shapeOf(request, required, kept), scriptBytesOf(required));
  const target = sumOf(request.payments) + sumOf(kept) + empty - sumOf(required);
  const withChange = target + least + parameters.feePerByte * BigInt(changeBytes);
  const window = parameters.feePerByte * BigInt(changeBytes + inputBytes);
  const weightMax = parameters.transactionBytesMax;
  const pureOnes = candidates(request, coins.filter(isPure));
  const all: readonly Candidate<HeldCoin>[] = [...pureOnes, ...bestOthers(request)];
  const exact = { target, window, weightMax };
  const and = (selected: readonly HeldCoin[] | null): readonly HeldCoin[] | null =>
    selected === null ? null : [...required, ...selected];
  const some = (from: typeof all, needed: bigint): readonly HeldCoin[] | null =>
    needed <= 0n ? [] : (selectFewest(from, needed, weightMax)?.map(({ item }) => item) ?? null);
  return [
    and(target > 0n ? selectChangeless(pureOnes, exact) : null),
    and(some(pureOnes, withChange)),
    and(some(all, withChange)),
    // For what a coin's value leaves out: larger numbers in sums of tokens, scripts that cost more together.
    and(some(all, withChange + least)),
    and(some(pureOnes, target)),
    and(some(all, target)),
  ];
}

/** What each coin adds to a transaction: its ada without what its tokens keep and what spending it costs. Those that add nothing are left out. */
function candidates(
  { change: { addressBytes }, parameters }: Pick<SpendRequest, "change" | "parameters">,
  coins: readonly HeldCoin[],
): readonly Candidate<HeldCoin>[] {
  return coins.flatMap((item) => {
    const { assets, scriptBytes } = item;
    const isBundle = assets.length > 0;
    const kept = isBundle ? leastUnits(parameters, { addressBytes, assets }) : 0n;
    const weight = inputBytes + (isBundle ? outputBytes({ addressBytes, assets, units: kept }) : 0);
    const cost = parameters.feePerByte * BigInt(weight) + scriptFeeOf(parameters, scriptBytes);
    const value = item.units - kept - cost;
    return value > 0n ? [{ item, value, weight }] : [];
  });
}

/**
 * The most valuable coins with tokens or scripts, as many as one transaction has room for. Worthless ones cannot crowd them out, and a payer
 * of valuable ones has brought what they are worth.
 */
function bestOthers(request: SpendRequest): readonly Candidate<HeldCoin>[] {
  const { coins, parameters } = request;
  const { transactionBytesMax, valueBytesMax } = parameters;
  let room = transactionBytesMax - Math.ceil(transactionBytesMax / otherShare);
  let scriptRoom = scriptBytesMax;
  const best: Candidate<HeldCoin>[] = [];
  const others = coins.filter((coin) => !isPure(coin) && isSpendable(coin, valueBytesMax));
  for (const candidate of byFallingValue(candidates(request, others))) {
    const { item, weight } = candidate;
    if (weight > room || item.scriptBytes > scriptRoom) continue;
    room -= weight;
    scriptRoom -= item.scriptBytes;
    best.push(candidate);
  }
  return best;
}

/** As many coins as one transaction can merge, required ones first. All their tokens fit into one output. */
function mergeable(request: SpendRequest): readonly HeldCoin[] {
  const { coins, parameters } = request;
  const fitting: HeldCoin[] = [];
  for (const coin of coins.toSorted((one, other) => one.assets.length - other.assets.length)) {
    if (coin.assets.length === 0 || canLie(merge([...fitting, coin]), parameters.valueBytesMax))
      fitting.push(coin);
  }
  return fillingOne(request, fitting);
}

/** The required coins, and as many of the others, in their order, as fit into one transaction. */
function fillingOne(request: SpendRequest, others: readonly HeldCoin[]): readonly HeldCoin[] {
  const { parameters, required } = request;
  const filling = [...required];
  for (const coin of others) {
    const more = [...filling, coin];
    const change = [pureChange(request, 0n), ...tokenOutputs(request, more)];
    const isTooLarge =
      transactionBytes(shapeOf(request, more, change)) > parameters.transactionBytesMax ||
      scriptBytesOf(more) > scriptBytesMax;
    if (isTooLarge) break;
    filling.push(coin);
  }
  return filling;
}

/** The plan for these coins; what is missing where they do not suffice; null if they are too many for one transaction. */
function complete(
  request: SpendRequest,
  coins: readonly HeldCoin[],
  maySpendRest: boolean,
): Plan | bigint | null {
  const { parameters, payments } = request;
  if (coins.length === 0) return null;
  const tokens = tokenOutputs(request, coins);
  const rest = sumOf(coins) - sumOf(payments) - sumOf(tokens);
  const measure = measureOf(request, coins, tokens);
  const one = pureChange(request, maxBigInt(rest, 0n));
  const least = leastUnits(parameters, one);
  const fee = measure.fee([one]);
  if (rest - fee >= least) {
    if (measure.isTooLarge([one])) return null;
    const parts = split(request, coins, tokens, rest, measure);
    if (parts !== null) return parts;
    return { coins, change: [{ units: rest - fee, assets: [] }, ...tokens], feeUnits: fee };
  }
  const bare = measure.fee([]);
  const [first, ...others] = tokens;
  if (first !== undefined) {
    // Too little for an output of its own stays with the tokens.
    if (rest < bare) return bare - rest;
    if (measure.isTooLarge([])) return null;
    const change = [{ ...first, units: first.units + rest - bare }, ...others];
    return { coins, change, feeUnits: bare };
  }
  const isExact =
    rest >= bare && rest - bare < parameters.feePerByte * BigInt(changeBytes + inputBytes);
  if (payments.length > 0 && !measure.isTooLarge([]) && rest >= bare && (isExact || maySpendRest))
    return { coins, change: [], feeUnits: rest };
  return fee + least - rest;
}

type Measure = {
  /** With this change beside the tokens. */
  readonly fee: (pure: readonly SizedOutput[]) => bigint;
  readonly isTooLarge: (pure: readonly SizedOutput[]) => boolean;
};

function measureOf(
  request: SpendRequest,
  coins: readonly HeldCoin[],
  tokens: readonly SizedOutput[],
): Measure {
  const { parameters } = request;
  const scriptBytes = scriptBytesOf(coins);
  const shape = (pure: readonly SizedOutput[]) => shapeOf(request, coins, [...pure, ...tokens]);
  return {
    fee: (pure) => feeOf(parameters, shape(pure), scriptBytes),
    isTooLarge: (pure) =>
      transactionBytes(shape(pure)) > parameters.transactionBytesMax ||
      scriptBytes > scriptBytesMax,
  };
}

/** Equal parts, the first one with the remainder, so that later payments find a coin each. */
function split(
  request: SpendRequest,
  coins: readonly HeldCoin[],
  tokens: readonly SizedOutput[],
  rest: bigint,
  measure: Measure,
): Plan | null {
  const { change, parameters, payments } = request;
  const one = pureChange(request, rest);
  for (let parts = change.partsMax; parts > 1; parts -= 1) {
    const sized = Array.from({ length: parts }, () => one);
    const feeUnits = measure.fee(sized);
    const least = [sumOf(payments), partTimesFee * feeUnits, leastUnits(parameters, one)].reduce(
      maxBigInt,
    );
    const part = (rest - feeUnits) / BigInt(parts);
    if (part < least || feeUnits > request.feeCeiling || measure.isTooLarge(sized)) continue;
    const pure = sized.map((_, at) => ({
      assets: [],
      units: at === 0 ? rest - feeUnits - part * BigInt(parts - 1) : part,
    }));
    return { coins, feeUnits, change: [...pure, ...tokens] };
  }
  return null;
}

/** What all coins together lack, at least one unit. */
function missingFor(request: SpendRequest): bigint {
  const { coins, parameters, required } = request;
  const useful = [...candidates(request, coins.filter(isPure)), ...bestOthers(request)];
  const usable = fillingOne(
    request,
    byFallingValue(useful).map(({ item }) => item),
  );
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

function pureChange({ change }: SpendRequest, units: bigint): SizedOutput {
  return { addressBytes: change.addressBytes, units, assets: [] };
}

/** Outputs for all tokens of the coins, each with the least amount that it may hold. */
function tokenOutputs(
  { change: { addressBytes }, parameters }: SpendRequest,
  coins: readonly HeldCoin[],
): readonly SizedOutput[] {
  return bundlesOf(coins, parameters.valueBytesMax).map(({ assets }) => ({
    addressBytes,
    assets,
    units: leastUnits(parameters, { addressBytes, assets }),
  }));
}

function isPure({ assets, scriptBytes }: HeldCoin): boolean {
  return assets.length === 0 && scriptBytes === 0;
}

/** Whether our change can hold its tokens. */
function isSpendable(coin: HeldCoin, valueBytesMax: number): boolean {
  return coin.assets.length === 0 || canLie(coin, valueBytesMax);
}

function scriptBytesOf(coins: readonly HeldCoin[]): number {
  return coins.reduce((sum, coin) => sum + coin.scriptBytes, 0);
}

function byFallingValue(from: readonly Candidate<HeldCoin>[]): readonly Candidate<HeldCoin>[] {
  return from.toSorted((one, other) => (one.value < other.value ? 1 : -1));
}

function sumOf(parts: readonly { readonly units: bigint }[]): bigint {
  return parts.reduce((sum, { units }) => sum + units, 0n);
}
