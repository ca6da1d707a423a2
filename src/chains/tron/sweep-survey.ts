import { type Currency, contractAmong } from "../../currencies/currency.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { SweepAddress, SweepAsset, SweepPreparation, SweepState } from "../paying-port.ts";
import { type Account, accountAt, tokenBalanceAt } from "./account.ts";
import type { TronCall } from "./build-transaction.ts";
import {
  lentStake,
  type Prices,
  type Resources,
  resourcesOf,
  type Simulation,
  simulatedTransfer,
} from "./pay-questions.ts";
import { bandwidthCost, energyMost, tokenCost, transferCost } from "./payment-cost.ts";
import type { AskTron } from "./tron-node.ts";

/** What a survey needs to know beside the addresses. */
export type SweepFacts = {
  readonly currencies: readonly Currency[];
  readonly hot: string;
  readonly gas: string;
  readonly prices: Prices;
  readonly isHotActive: boolean;
  /** Sun whose energy the gas account can lend. */
  readonly lendable: bigint;
  /** The chain's energy per day, and the TRX staked for it. */
  readonly supply: Pick<Resources, "totalEnergy" | "totalEnergyStake">;
};

/** A stake below one TRX cannot be lent. */
const lendableMin = 1_000_000n;
const sunPerTrx = 1_000_000n;
/** The bandwidth that an account has per day without a stake (`getFreeNetLimit`), as a new one does. */
const newAccountResources = { stakedBandwidth: 0n, freeBandwidth: 600n, energy: 0n };

/** What the survey knows about one address. */
type Surveyed = SweepAddress & {
  /** Null until it receives coin: receiving tokens creates no account, and only accounts send. */
  readonly account: Account | null;
  readonly resources: Pick<Resources, "stakedBandwidth" | "freeBandwidth" | "energy">;
  readonly lentUnits: bigint;
  readonly held: readonly HeldAsset[];
};

type HeldAsset = {
  readonly currency: CurrencyId;
  /** Null for coin. */
  readonly contract: string | null;
  readonly latest: bigint;
  readonly final: bigint;
  /** Null for coin, and for a balance of 0. */
  readonly simulation: Simulation | null;
};

/** Addresses read at once. */
const addressesAtOnce = 8;

/** The addresses' balances as of the solid block, in the given order, and what moving each asset takes now. */
export async function surveyAddresses(
  ask: AskTron,
  facts: SweepFacts,
  addresses: readonly SweepAddress[],
): Promise<readonly SweepState[]> {
  const states: SweepState[] = [];
  let lendable = facts.lendable;
  for (let from = 0; from < addresses.length; from += addressesAtOnce) {
    const part = addresses.slice(from, from + addressesAtOnce);
    const surveyed = await Promise.all(part.map((source) => readAddress(ask, facts, source)));
    for (const address of surveyed) {
      const state = stateOf({ ...facts, lendable }, address);
      for (const { preparation } of state.assets)
        if (preparation?.kind === "lend") lendable -= preparation.units;
      states.push(state);
    }
  }
  return states;
}

async function readAddress(
  ask: AskTron,
  facts: SweepFacts,
  source: SweepAddress,
): Promise<Surveyed> {
  const { address } = source;
  const [account, resources, lentUnits] = await Promise.all([
    ask(accountAt("wallet", address)),
    ask(resourcesOf(address)),
    ask(lentStake(facts.gas, address)),
  ]);
  const held = await Promise.all(
    source.currencies.map((id) => readHeldAsset(ask, facts, source.address, account, id)),
  );
  return {
    ...source,
    account,
    resources: account === null ? newAccountResources : resources,
    lentUnits,
    held,
  };
}

async function readHeldAsset(
  ask: AskTron,
  { currencies, hot }: SweepFacts,
  address: string,
  account: Account | null,
  currency: CurrencyId,
): Promise<HeldAsset> {
  const contract = contractAmong(currencies, currency);
  if (contract === null) {
    const solid = await ask(accountAt("walletsolidity", address));
    const latest = solid?.spendable ?? 0n;
    // Funds that have left since cannot be moved.
    const final = minBigInt(latest, account?.spendable ?? 0n);
    return { currency, contract, latest, final, simulation: null };
  }
  const [latest, newest] = await Promise.all([
    ask(tokenBalanceAt("walletsolidity", contract, address)),
    ask(tokenBalanceAt("wallet", contract, address)),
  ]);
  const final = minBigInt(latest, newest);
  const call = { contract, from: address, to: hot, units: final };
  const simulation = final === 0n ? null : await ask(simulatedTransfer(call));
  return { currency, contract, latest, final, simulation };
}

function stateOf(facts: SweepFacts, surveyed: Surveyed): SweepState {
  return {
    keyIndex: surveyed.keyIndex,
    address: surveyed.address,
    sequence: null,
    isPrepared: surveyed.lentUnits > 0n,
    batchFeeUnits: 0n,
    assets: surveyed.held.map((held) => assetOf(facts, surveyed, held)),
  };
}

function assetOf(facts: SweepFacts, surveyed: Surveyed, held: HeldAsset): SweepAsset {
  const { currency, latest, final, simulation } = held;
  const call = callOf(facts, surveyed.address, held);
  const common = { currency, latest, final };
  if (call.type === "transfer") {
    // Free bandwidth usually saves this fee, but it may be used up.
    const { expected } = transferCost(call, facts.prices, !facts.isHotActive);
    return { ...common, work: 0n, feeUnits: { inBatch: 0n, alone: expected }, preparation: null };
  }
  if (simulation?.kind !== "succeeds")
    return { ...common, work: null, feeUnits: { inBatch: 0n, alone: 0n }, preparation: null };
  const { feeUnits, preparation } = planTransfer(facts, surveyed, call, simulation);
  return {
    ...common,
    work: simulation.energy,
    feeUnits: { inBatch: 0n, alone: feeUnits },
    preparation,
  };
}

function callOf(
  { hot }: SweepFacts,
  address: string,
  { contract, final }: HeldAsset,
): Extract<TronCall, { readonly type: "transfer" | "token" }> {
  const moved = { from: address, to: hot, units: final };
  return contract === null ? { type: "transfer", ...moved } : { type: "token", contract, ...moved };
}

/** The preparation that a token transfer needs, and its cost in total. */
export type TransferPlan = {
  readonly feeUnits: bigint;
  readonly preparation: SweepPreparation | null;
};

/**
 * Plans how an address moves a token: with its own coin and energy if they suffice, otherwise with energy of the gas account if
 * enough can be lent and that costs less, otherwise with coin of the gas account. An address without an account or bandwidth needs
 * coin first in any case. The total is at least a tenth of the highest fee: the fee limit covers lent energy too, and a draft's
 * fee ceiling is ten times the total.
 */
export function planTransfer(
  facts: Pick<SweepFacts, "prices" | "lendable" | "supply" | "gas">,
  { account, resources, address }: Pick<Surveyed, "address" | "account" | "resources">,
  call: TronCall,
  energy: { readonly energy: bigint; readonly penalty: bigint },
): TransferPlan {
  const { prices } = facts;
  const { most, feeLimit } = tokenCost(call, prices, energy);
  const bandwidth = hasBandwidth(resources, (most - feeLimit) / prices.sunPerByte)
    ? 0n
    : most - feeLimit;
  const missingMost = maxBigInt(energyMost(energy) - resources.energy, 0n);
  const missing = maxBigInt(energy.energy - resources.energy, 0n);
  const burned = missing * prices.sunPerEnergy + bandwidth;
  const needed = missingMost * prices.sunPerEnergy + bandwidth;
  const spendable = account?.spendable ?? 0n;
  const total = (units: bigint): bigint => maxBigInt(units, (most + 9n) / 10n);
  if (account !== null && needed <= spendable)
    return { feeUnits: total(burned), preparation: null };

  const topUpCall: TronCall = { type: "transfer", from: facts.gas, to: address, units: needed };
  const topUpFee = transferCost(topUpCall, prices, account === null).expected;
  const topUp = (units: bigint): SweepPreparation => ({ kind: "topUp", units });
  const topUpPlan = { feeUnits: total(burned + topUpFee), preparation: topUp(needed - spendable) };

  const stake = stakeFor(missingMost, facts.supply);
  if (stake === null || stake > facts.lendable) return topUpPlan;
  const lending = { from: facts.gas, to: address, units: stake };
  const lentFee =
    bandwidthCost({ type: "delegate", ...lending }, prices).expected +
    bandwidthCost({ type: "undelegate", ...lending }, prices).expected +
    bandwidth;
  // A transfer of one sun, the least there is, creates the account.
  const before = account === null ? maxBigInt(bandwidth, 1n) : maxBigInt(bandwidth - spendable, 0n);
  const lentTotal = lentFee + (before > 0n ? topUpFee : 0n);
  if (lentTotal >= burned + topUpFee) return topUpPlan;
  return {
    feeUnits: total(lentTotal),
    preparation: before > 0n ? topUp(before) : { kind: "lend", units: stake },
  };
}

/** Bandwidth covers a transaction entirely or not at all. */
export function hasBandwidth(
  { stakedBandwidth, freeBandwidth }: Pick<Resources, "stakedBandwidth" | "freeBandwidth">,
  bytes: bigint,
): boolean {
  return stakedBandwidth >= bytes || freeBandwidth >= bytes;
}

/** The stake in sun that yields that much energy, with a margin for new stakes of others; null if no TRX is staked for energy. */
function stakeFor(
  energy: bigint,
  { totalEnergy, totalEnergyStake }: SweepFacts["supply"],
): bigint | null {
  assert(energy >= 0n, "an amount of energy");
  if (totalEnergy === 0n || totalEnergyStake === 0n) return null;
  const sun = (energy * totalEnergyStake * sunPerTrx) / totalEnergy;
  return maxBigInt(sun + sun / 50n + 1n, lendableMin);
}
