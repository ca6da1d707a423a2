import { type Currency, coinAmong, contractAmong } from "../../currencies/currency.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ChainSweeper, SweepSurvey } from "../paying-port.ts";
import type { Destination } from "../port.ts";
import { accountAt } from "./account.ts";
import type { TronCall } from "./build-transaction.ts";
import { createTimestamps } from "./draft-payment.ts";
import { draftSweep, type TronSweeping } from "./draft-sweep.ts";
import { currentPrices, lendableStake, resourcesOf } from "./pay-questions.ts";
import { bandwidthCost, transferCost } from "./payment-cost.ts";
import { planTransfer, type SweepFacts, surveyAddresses } from "./sweep-survey.ts";
import type { AskTron, TronNode } from "./tron-node.ts";

export type TronSweeperOptions = {
  readonly node: TronNode;
  /** Those of this chain: its coin, and the tokens that have a contract. */
  readonly currencies: readonly Currency[];
  readonly treasury: { readonly hot: Destination; readonly gas: Destination };
  readonly clock: Clock;
};

/** Lent energy serves one address at a time: it is taken back once the address has had a minute to send. */
const release = { addressesMax: 1, idleSeconds: 60 };
/** The energy of moving a common token (Tether) to an account that has some. */
const usualEnergy = { energy: 65_000n, penalty: 0n };

/**
 * Sweeps deposit addresses into the hot account, each by its own transaction: coin directly, tokens with energy that the gas account
 * lends from its stake, or with coin from it. Needs no key.
 */
export function createTronSweeper(options: TronSweeperOptions): ChainSweeper {
  const { node, currencies, treasury, clock } = options;
  const hot = treasury.hot.address;
  const gas = treasury.gas.address;
  assert(hot !== gas, "the account that pays fees is not the hot one");
  const sweeping: TronSweeping = {
    node,
    coin: coinAmong(currencies),
    hot,
    gas,
    nextTimestamp: createTimestamps(clock),
    contractOf: (id) => contractAmong(currencies, id),
  };
  return {
    release,
    survey: (addresses, signal) =>
      node.consult(async (ask): Promise<SweepSurvey> => {
        const facts = await readFacts(ask, { currencies, hot, gas });
        return {
          mode: "single",
          setUpFeeUnits: null,
          batchFeeUnits: 0n,
          ...usualFees(facts),
          fitsOneTransaction: () => false,
          states: await surveyAddresses(ask, facts, addresses),
        };
      }, signal),
    draft: (request, signal) => draftSweep(sweeping, request, signal),
    replace: null,
  };
}

async function readFacts(
  ask: AskTron,
  { currencies, hot, gas }: Pick<SweepFacts, "currencies" | "hot" | "gas">,
): Promise<SweepFacts> {
  const [prices, hotAccount, lendable, supply] = await Promise.all([
    ask(currentPrices),
    ask(accountAt("wallet", hot)),
    ask(lendableStake(gas)),
    ask(resourcesOf(gas)),
  ]);
  return { currencies, hot, gas, prices, isHotActive: hotAccount !== null, lendable, supply };
}

/** The fees of an address that has an account and bandwidth, but neither coin nor energy. */
function usualFees(facts: SweepFacts): Pick<SweepSurvey, "usualFeeUnits" | "releaseFeeUnits"> {
  const { hot, gas, prices } = facts;
  const moved = { from: gas, to: hot, units: 1_000_000n };
  const token: TronCall = { type: "token", contract: hot, ...moved };
  const address = {
    address: hot,
    account: { isContract: false, spendable: 0n, staked: 0n },
    resources: { stakedBandwidth: 0n, freeBandwidth: 600n, energy: 0n },
  };
  return {
    releaseFeeUnits: bandwidthCost({ type: "undelegate", ...moved }, prices).expected,
    usualFeeUnits: {
      coin: transferCost({ type: "transfer", ...moved }, prices, false).expected,
      token: planTransfer(facts, address, token, usualEnergy).feeUnits,
    },
  };
}
