import type { AddressTypeName } from "../../currencies/utxo-facts.ts";
import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { byteBasis } from "./fee-basis.ts";
import type { FeeRates } from "./fee-rates.ts";
import {
  completePlan,
  type FeeRule,
  missingAtRate,
  type Plan,
  planAtFee,
  planAtRate,
  ruleOfRate,
  type SpendableCoin,
  type SpendRequest,
  worthwhile,
} from "./plan-spend.ts";
import { feeAt, inputWeight, standardWeightMax, weightOf } from "./transaction-weight.ts";

/** A draft's target: the fee charged to a single payer, or a fee rate with the total charge of several payers. */
export type FeeAim =
  | { readonly kind: "fee"; readonly feeUnits: bigint }
  | { readonly kind: "rate"; readonly rate: bigint; readonly most: bigint | null };

export type PlanOutcome =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "insufficient"; readonly missing: bigint }
  | { readonly kind: "tooExpensive"; readonly feeUnits: bigint }
  | { readonly kind: "impossible"; readonly reason: string };

/** The node's minimum fees. */
type Floor = Pick<FeeRates, "relay" | "increment">;

/**
 * A single payment aims at exactly the fee charged to its payer. Several payers are each charged as for a transaction of their
 * own; their average charge for the size of such a transaction is the rate of the shared one.
 */
export function aimOf(
  purse: SpendRequest,
  feeTarget: bigint | null,
  medium: bigint,
  typicalInput: AddressTypeName,
): FeeAim {
  if (feeTarget === null) return { kind: "rate", rate: medium, most: null };
  if (purse.scriptLengths.length <= 1) return { kind: "fee", feeUnits: feeTarget };
  const { sizeOf } = purse.basis ?? byteBasis;
  const sizes = purse.scriptLengths.map((length) =>
    sizeOf({ inputs: [typicalInput], scriptLengths: [length, purse.change.scriptLength] }),
  );
  const size = sizes.reduce((sum, each) => sum + each, 0);
  return { kind: "rate", rate: (feeTarget * 1000n) / BigInt(size), most: feeTarget };
}

/** Selects coins for payments. */
export function planPayment(
  purse: SpendRequest,
  aim: FeeAim,
  floor: Floor,
  ceiling: bigint,
): PlanOutcome {
  const { relay } = floor;
  const planned = planAsAimed(purse, aim, relay, ceiling);
  if (planned !== null) return { kind: "plan", plan: planned };
  const missing = missingFor(purse, aim, relay, ceiling);
  if (missing > 0n) return { kind: "insufficient", missing };
  // The target fee is too low for so many inputs, or too high for the ceiling: no more outputs than necessary.
  const plain = { ...purse, change: { ...purse.change, partsMax: 1 } };
  const cheapest = planAtRate(plain, relay, relay, ruleOfRate(relay, relay, ceiling));
  if (cheapest !== null) return { kind: "plan", plan: cheapest };
  const unlimited = planAtRate(purse, relay, relay, ruleOfRate(relay, relay, unlimitedUnits));
  if (unlimited !== null) return { kind: "tooExpensive", feeUnits: unlimited.feeUnits };
  return { kind: "insufficient", missing: missingInOne(purse, relay) };
}

/** The coins suffice but do not fit into one transaction: the amount is missing until some are consolidated. */
function missingInOne(purse: SpendRequest, relay: bigint): bigint {
  const { change, paid, scriptLengths } = purse;
  const largest = purse.coins.toSorted((a, b) => (a.units < b.units ? 1 : -1));
  const coins = asManyAsFit(largest, [...scriptLengths, change.scriptLength]);
  const held = coins.reduce((sum, { units }) => sum + units, 0n);
  const feeUnits = feeAt(relay, (purse.basis ?? byteBasis).sizeMax);
  return maxBigInt(1n, paid + feeUnits - held);
}

/** Moves every coin that is worth moving, as far as they fit, to the change address. */
export function planConsolidation(
  purse: SpendRequest,
  aim: FeeAim,
  floor: Floor,
  ceiling: bigint,
): PlanOutcome {
  const { relay } = floor;
  const rate = aim.kind === "rate" ? maxBigInt(aim.rate, relay) : relay;
  const candidates = worthwhile(purse, rate).map(({ item }) => item);
  const coins = asManyAsFit(candidates, [purse.change.scriptLength]);
  const rule: FeeRule = {
    ...ruleOfRate(rate, relay, ceiling),
    ...(aim.kind === "fee" ? { aim: aimAtFee(aim.feeUnits, relay, ceiling) } : {}),
  };
  const plan = completePlan(purse, coins, purse.change.dust, rule);
  if (plan !== null) return { kind: "plan", plan };
  const inputs = coins.map(({ addressType }) => addressType);
  const { sizeOf } = purse.basis ?? byteBasis;
  const least = feeAt(relay, sizeOf({ inputs, scriptLengths: [purse.change.scriptLength] }));
  if (least > ceiling) return { kind: "tooExpensive", feeUnits: least };
  return { kind: "impossible", reason: "no coin is worth what moving it costs" };
}

const unlimitedUnits = 2n ** 64n;

function planAsAimed(
  purse: SpendRequest,
  aim: FeeAim,
  relay: bigint,
  ceiling: bigint,
): Plan | null {
  if (aim.kind === "fee") {
    const feeUnits = minBigInt(aim.feeUnits, ceiling);
    const rule = {
      ...ruleOfRate(relay, relay, ceiling),
      aim: aimAtFee(aim.feeUnits, relay, ceiling),
    };
    return planAtFee(purse, feeUnits, relay, rule);
  }
  const rate = maxBigInt(aim.rate, relay);
  const most = aim.most === null ? ceiling : minBigInt(aim.most, ceiling);
  return planAtRate(purse, rate, relay, ruleOfRate(rate, relay, most));
}

/** The missing amount, by face value where the target fee is bounded. */
function missingFor(purse: SpendRequest, aim: FeeAim, relay: bigint, ceiling: bigint): bigint {
  const total = purse.coins.reduce((sum, { units }) => sum + units, 0n);
  const bound = aim.kind === "fee" ? aim.feeUnits : (aim.most ?? ceiling);
  const atBound = purse.paid + minBigInt(bound, ceiling) - total;
  const asAimed =
    aim.kind === "fee"
      ? atBound
      : minBigInt(atBound, missingAtRate(purse, maxBigInt(aim.rate, relay)));
  return maxBigInt(missingAtRate(purse, relay), asAimed);
}

/** A fixed fee, raised to the nodes' minimum for the size. */
export function aimAtFee(
  feeUnits: bigint,
  relay: bigint,
  ceiling: bigint,
): (vsize: number) => bigint {
  return (vsize) => maxBigInt(minBigInt(feeUnits, ceiling), feeAt(relay, vsize));
}

function asManyAsFit(
  coins: readonly SpendableCoin[],
  scriptLengths: readonly number[],
): readonly SpendableCoin[] {
  // Leaves room for the count of inputs.
  let weight = weightOf({ inputs: [], scriptLengths }) + 16;
  return coins.filter(({ addressType }) => {
    weight += inputWeight(addressType);
    return weight <= standardWeightMax;
  });
}
