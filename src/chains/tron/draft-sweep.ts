import { assert, present } from "../../platform/kernel/assert.ts";
import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type {
  DraftOutcome,
  SweepDraftRequest,
  SweepPreparation,
  SweepState,
} from "../paying-port.ts";
import { accountAt } from "./account.ts";
import type { TronCall } from "./build-transaction.ts";
import { draftOf, readTerms, type Terms, type TronDrafting } from "./draft-payment.ts";
import { lentStake, resourcesOf, simulatedTransfer } from "./pay-questions.ts";
import { bandwidthCost, type Cost, feeBound, tokenCost, transferCost } from "./payment-cost.ts";
import { hasBandwidth } from "./sweep-survey.ts";

export type TronSweeping = Pick<TronDrafting, "node" | "coin" | "nextTimestamp"> & {
  readonly hot: string;
  readonly gas: string;
  /** The token's contract; null for the coin. */
  readonly contractOf: (currency: CurrencyId) => string | null;
};

type Obstacle = Exclude<DraftOutcome, { readonly kind: "draft" }>;

/** Drafts a transaction for the plan at current prices. */
export async function draftSweep(
  sweeping: TronSweeping,
  { plan, feeCeiling }: SweepDraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const terms = await readTerms(sweeping.node, signal);
  const drafted = await draftPlan();
  if ("kind" in drafted) return drafted;
  const { call, cost, keyIndex } = drafted;
  const bound = feeBound(call, cost, terms.prices);
  if (bound > feeCeiling) return { kind: "tooExpensive", feeUnits: bound };
  const { missing = 0n } = drafted;
  return missing > 0n
    ? { kind: "insufficient", currency: sweeping.coin, missing }
    : { kind: "draft", draft: draftOf(sweeping, terms, call, cost, keyIndex) };

  async function draftPlan(): Promise<DraftedCall | Obstacle> {
    switch (plan.kind) {
      case "single": {
        const { state, currency } = plan;
        const contract = sweeping.contractOf(currency);
        const { final } = present(
          state.assets.find((asset) => asset.currency === currency),
          `${currency} at ${state.address}`,
        );
        assert(final > 0n, `nothing of ${currency} at ${state.address}`);
        return contract === null
          ? await sweepCoin(sweeping, terms, state, final, signal)
          : await sweepToken(sweeping, terms, state, { contract, units: final }, signal);
      }
      case "prepare":
        return await prepare(sweeping, terms, plan.state, plan.preparation, signal);
      case "release": {
        const [state, ...others] = plan.states;
        assert(state !== undefined && others.length === 0, "one address is released at a time");
        return await endDelegation(sweeping, terms, state, signal);
      }
      case "setUp":
      case "batch":
        throw new Error(`${plan.kind} is no transaction of this chain`);
    }
  }
}

type DraftedCall = {
  readonly call: TronCall;
  readonly cost: Cost;
  /** The deposit address that signs; null for the gas account. */
  readonly keyIndex: number | null;
  /** The sun that the sender lacks; 0 or less, or left out, if nothing is missing. */
  readonly missing?: bigint;
};

/** All of the coin if the address has bandwidth left today, otherwise all but its fee. */
async function sweepCoin(
  { node, coin, hot }: TronSweeping,
  { prices }: Terms,
  { address, keyIndex }: SweepState,
  final: bigint,
  signal: AbortSignal,
): Promise<DraftedCall | Obstacle> {
  const [hotAccount, account, resources] = await node.consult(
    (ask) =>
      Promise.all([
        ask(accountAt("wallet", hot)),
        ask(accountAt("wallet", address)),
        ask(resourcesOf(address)),
      ]),
    signal,
  );
  const spendable = account?.spendable ?? 0n;
  const whole: TronCall = { type: "transfer", from: address, to: hot, units: final };
  const isActivating = hotAccount === null;
  const cost = transferCost(whole, prices, isActivating);
  const isFree = !isActivating && hasBandwidth(resources, cost.most / prices.sunPerByte);
  const units = minBigInt(final, spendable - (isFree ? 0n : cost.most));
  return units > 0n
    ? { call: { ...whole, units }, cost, keyIndex }
    : { kind: "insufficient", currency: coin, missing: 1n - units };
}

/** All of the token. The address's coin, bandwidth and energy together must cover the highest fee. */
async function sweepToken(
  { node, hot }: TronSweeping,
  { prices }: Terms,
  { address, keyIndex }: SweepState,
  { contract, units }: { readonly contract: string; readonly units: bigint },
  signal: AbortSignal,
): Promise<DraftedCall | Obstacle> {
  const call = { type: "token", contract, from: address, to: hot, units } as const;
  const [simulation, account, resources] = await node.consult(
    (ask) =>
      Promise.all([
        ask(simulatedTransfer(call)),
        ask(accountAt("wallet", address)),
        ask(resourcesOf(address)),
      ]),
    signal,
  );
  if (simulation.kind === "fails")
    return { kind: "impossible", reason: `the token refuses it: ${simulation.reason}` };
  const cost = tokenCost(call, prices, simulation);
  const bandwidth = cost.most - cost.feeLimit;
  const needed =
    cost.feeLimit -
    minBigInt(cost.feeLimit, resources.energy * prices.sunPerEnergy) +
    (hasBandwidth(resources, bandwidth / prices.sunPerByte) ? 0n : bandwidth);
  const spendable = account?.spendable ?? 0n;
  // Only accounts send, and one sun creates one.
  const missing = account === null ? maxBigInt(needed, 1n) : needed - spendable;
  return { call, cost, keyIndex, missing };
}

/** Coin or energy from the gas account. */
async function prepare(
  { node, coin, gas }: TronSweeping,
  { prices }: Terms,
  { address }: SweepState,
  { kind, units }: SweepPreparation,
  signal: AbortSignal,
): Promise<DraftedCall | Obstacle> {
  const moved = { from: gas, to: address, units };
  const [payer, receiver] = await node.consult(
    (ask) => Promise.all([ask(accountAt("wallet", gas)), ask(accountAt("wallet", address))]),
    signal,
  );
  const spendable = payer?.spendable ?? 0n;
  if (kind === "topUp") {
    const call: TronCall = { type: "transfer", ...moved };
    const cost = transferCost(call, prices, receiver === null);
    const missing = units + cost.most - spendable;
    return missing > 0n
      ? { kind: "insufficient", currency: coin, missing }
      : { call, cost, keyIndex: null };
  }
  if (receiver === null) return { kind: "impossible", reason: "energy is lent to accounts only" };
  const call: TronCall = { type: "delegate", ...moved };
  return { call, cost: bandwidthCost(call, prices), keyIndex: null };
}

/** Ends the gas account's delegation to the address. */
async function endDelegation(
  { node, gas }: TronSweeping,
  { prices }: Terms,
  { address }: SweepState,
  signal: AbortSignal,
): Promise<DraftedCall | Obstacle> {
  const units = await node.consult((ask) => ask(lentStake(gas, address)), signal);
  if (units === 0n)
    return { kind: "impossible", reason: "the gas account delegates nothing to the address" };
  const call: TronCall = { type: "undelegate", from: gas, to: address, units };
  return { call, cost: bandwidthCost(call, prices), keyIndex: null };
}
