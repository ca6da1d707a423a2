import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { bandwidthOf, type TronCall } from "./build-transaction.ts";
import type { Prices, Simulation } from "./pay-questions.ts";

/** What a transaction costs, in sun, if the sender has neither bandwidth nor energy of its own: these only lower it. */
export type Cost = {
  /** On the current state. */
  readonly expected: bigint;
  /** At most, whatever changes until the transaction expires, and also if it fails. */
  readonly most: bigint;
  /** 0 for transactions that use no energy. */
  readonly feeLimit: bigint;
};

/** A transfer of coin: its bytes, or a fixed amount if it creates its receiver. */
export function transferCost(call: TronCall, prices: Prices, isActivating: boolean): Cost {
  const units = isActivating ? prices.activationUnits : bandwidthUnits(call, 0n, prices);
  return { expected: units, most: units, feeLimit: 0n };
}

/** The prices with which the signer, which has no access to the chain, bounds fees: those in effect since 2021. */
const signerPrices = { sunPerByte: 1_000n, activationUnits: 1_100_000n };

/**
 * The upper bound of the fee that follows from the transaction's bytes, which is all that the signer knows: a coin transfer states
 * no fee limit and might create its receiver. The signer's prices are the minimum, since it does not learn of votes that lower
 * them.
 */
export function feeBound(
  call: TronCall,
  { feeLimit }: Pick<Cost, "feeLimit">,
  prices: Prices,
): bigint {
  const sunPerByte = maxBigInt(prices.sunPerByte, signerPrices.sunPerByte);
  const bandwidth = bandwidthUnits(call, feeLimit, { ...prices, sunPerByte });
  if (call.type !== "transfer") return bandwidth + feeLimit;
  return maxBigInt(bandwidth, maxBigInt(prices.activationUnits, signerPrices.activationUnits));
}

export type Energy = Pick<Extract<Simulation, { readonly kind: "succeeds" }>, "energy" | "penalty">;

/**
 * A token's transfer: its bytes and its energy. The fee limit covers all of the energy, even what a stake provides, as
 * java-tron counts it (`getAccountEnergyLimitWithFixRatio`).
 */
export function tokenCost(call: TronCall, prices: Prices, energy: Energy): Cost {
  const energyFee = energyMost(energy) * prices.sunPerEnergy;
  const feeLimit = energyFee < prices.feeLimitMax ? energyFee : prices.feeLimitMax;
  const bandwidth = bandwidthUnits(call, feeLimit, prices);
  return {
    expected: bandwidth + energy.energy * prices.sunPerEnergy,
    most: bandwidth + feeLimit,
    feeLimit,
  };
}

/** Writing to a storage slot that is empty costs this much more than changing it (SSTORE). */
const emptySlotEnergy = 15_000n;

/** A transaction that uses bandwidth alone: a delegation. */
export function bandwidthCost(call: TronCall, prices: Prices): Cost {
  const units = bandwidthUnits(call, 0n, prices);
  return { expected: units, most: units, feeLimit: 0n };
}

/**
 * The energy that the same transfer may need some minutes later. The receiver's balance may fall to zero, and then its slot is
 * empty. And a maintenance period may begin, which raises the factor of a busy contract by at most a fifth
 * (`getDynamicEnergyIncreaseFactor`).
 */
export function energyMost({ energy, penalty }: Energy): bigint {
  const base = energy - penalty;
  const slot = base > 0n ? (emptySlotEnergy * energy + base - 1n) / base : emptySlotEnergy;
  return ((energy + slot) * 6n + 4n) / 5n;
}

/** Lengths depend on neither the block nor the times, whose numbers all have the same length until the year 2109. */
function bandwidthUnits(call: TronCall, feeLimit: bigint, { sunPerByte }: Prices): bigint {
  const anyTime = 1_700_000_000_000n;
  const bytes = bandwidthOf({
    call,
    refBlock: { bytes: "0000", hash: "00".repeat(8) },
    expiration: anyTime,
    timestamp: anyTime,
    feeLimit,
  });
  return bytes * sunPerByte;
}
