import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { FeeLevels, GasFees } from "./estimate-fees.ts";

export type PriceRequest = {
  readonly levels: FeeLevels;
  readonly gas: bigint;
  /** Wei charged in addition to gas. */
  readonly dataFee: bigint;
  /** The fee charged to the payer; null: the medium level. */
  readonly feeTarget: bigint | null;
  readonly feeCeiling: bigint;
  /** See `EvmChain`. */
  readonly nodeFeeMost: bigint | null;
  /** The fees of the draft to replace, and its gas if it may differ. */
  readonly replaces: (GasFees & { readonly gas?: bigint }) | null;
};

export type Price =
  | { readonly kind: "fees"; readonly fees: GasFees }
  /** Even the minimum that nodes accept, `feeUnits`, is above the ceiling, or above what they let a transaction pay. */
  | { readonly kind: "tooExpensive"; readonly feeUnits: bigint };

/**
 * The fee target spread over the gas, but not below the low level, since one pending transaction holds up all later nonces of its
 * account; the operator pays the excess over the target. A replacement raises both fees by an eighth (nodes require a tenth) and
 * to at least the medium level, as far as the ceiling allows. What is above the nodes' limit is in no node and is not replaced there.
 */
export function priceDraft(request: PriceRequest): Price {
  const { levels, gas, dataFee, feeTarget, replaces } = request;
  const feeCeiling = ceilingWithin(request);
  const isAtNodes =
    replaces !== null && !isAboveLimit(request, (replaces.gas ?? gas) * replaces.maxFeePerGas);
  const bumped = isAtNodes ? bump(replaces) : null;
  const least = bumped ?? levels.low;
  const most = feeCeiling > dataFee ? (feeCeiling - dataFee) / gas : 0n;
  if (least.maxFeePerGas > most)
    return { kind: "tooExpensive", feeUnits: gas * least.maxFeePerGas + dataFee };
  const aimed = feeTarget === null ? levels.medium.maxFeePerGas : perGas(feeTarget, dataFee, gas);
  const market = bumped === null ? levels.low : levels.medium;
  const target = maxBigInt(maxBigInt(aimed, market.maxFeePerGas), least.maxFeePerGas);
  const maxFeePerGas = minBigInt(target, most);
  const tip = maxBigInt(tipFor(levels, maxFeePerGas), bumped?.maxPriorityFeePerGas ?? 0n);
  return {
    kind: "fees",
    fees: {
      maxFeePerGas,
      maxPriorityFeePerGas: levels.kind === "legacy" ? maxFeePerGas : minBigInt(tip, maxFeePerGas),
    },
  };
}

/** The most that the draft may cost, in wei: the ceiling, or what nodes let it pay for its gas and the data fee beside it. */
export function ceilingWithin({
  feeCeiling,
  dataFee,
  nodeFeeMost,
}: Pick<PriceRequest, "feeCeiling" | "dataFee" | "nodeFeeMost">): bigint {
  return nodeFeeMost === null ? feeCeiling : minBigInt(feeCeiling, nodeFeeMost + dataFee);
}

function isAboveLimit({ nodeFeeMost }: PriceRequest, gasFee: bigint): boolean {
  return nodeFeeMost !== null && gasFee > nodeFeeMost;
}

/** The part left for gas after the data fee. */
function perGas(feeUnits: bigint, dataFee: bigint, gas: bigint): bigint {
  return feeUnits > dataFee ? (feeUnits - dataFee) / gas : 0n;
}

/** The tip of the highest level that the fee reaches. */
function tipFor({ low, medium, high }: FeeLevels, maxFeePerGas: bigint): bigint {
  const reached = [high, medium].find((level) => level.maxFeePerGas <= maxFeePerGas) ?? low;
  return reached.maxPriorityFeePerGas;
}

/** An eighth more, and always more: a tip of zero must grow too. */
function bump({ maxFeePerGas, maxPriorityFeePerGas }: GasFees): GasFees {
  const more = (fee: bigint): bigint => fee + maxBigInt((fee + 7n) / 8n, 1n);
  return {
    maxFeePerGas: more(maxFeePerGas),
    maxPriorityFeePerGas: more(maxPriorityFeePerGas),
  };
}
