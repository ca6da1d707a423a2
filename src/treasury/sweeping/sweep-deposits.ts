import type { SweepSurvey } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { freeUnits, readAccountInUse } from "../spends/account-in-use.ts";
import { excludeNodesBehind } from "../spends/exclude-nodes-behind.ts";
import { createSweep } from "./create-sweep.ts";
import { decideSweeps, type SweepStep } from "./decide-sweeps.ts";
import { watchKeyOf } from "./deposit-address.ts";
import { retryLater, settleSweeps } from "./settle-sweeps.ts";
import { surveyCandidates } from "./survey-candidates.ts";
import {
  delayRetries,
  type FreeHolding,
  listCandidates,
  type Minimum,
  readSweepsInProgress,
} from "./sweep.store.ts";
import { ownAccounts, type SweepContext } from "./sweep-context.ts";
import { type CoinWorth, readCoinWorth, usualFee } from "./sweep-worth.ts";

/** Holdings read per run, for each address that one transaction may take. */
const looksPerSource = 4;

/**
 * Sweeps a chain's deposit addresses into the hot account: first what waiting payouts lack, then whatever is worth its fee.
 * Stores the decisions as spends, which the pipeline signs and broadcasts, and evaluates finished sweeps by what the addresses
 * still hold. Rejects with `Unavailable` if the node does not respond. Returns how many spends it created.
 */
export async function sweepDeposits(context: SweepContext, signal: AbortSignal): Promise<number> {
  const { db, settings } = context;
  const { chain, sweeper } = context.chain;
  await excludeNodesBehind({ ...context.chain, db });
  await settleSweeps(context, signal);
  if (await context.isStopped(db, chain)) return 0;
  const underWay = await readSweepsInProgress(db, chain);
  if (underWay.open >= settings.openMax || underWay.settingUp) return 0;

  const gauge = await sweeper.survey([], signal);
  const worth = await readCoinWorth(context);
  const awaited = await readWanted(context, signal);
  const least = minimumUnits(context, gauge, worth, awaited);
  const limit = settings.sourcesMax * looksPerSource;
  const candidates = await listCandidates(db, context.chain, least, context.clock.now(), limit);
  if (candidates.length === 0) return 0;
  const survey = await surveyCandidates(context, candidates, signal);
  await delayUnmovable(context, candidates, survey);
  const steps = decideSweeps(survey, {
    coin: context.chain.writer.coin,
    worth: worth.worth,
    awaited,
    worthTimes: settings.worthTimes,
    sourcesMax: settings.sourcesMax,
  });
  return await openSteps(context, steps, survey, settings.openMax - underWay.open, signal);
}

/**
 * Looks again later at what its token does not let go now, and at what its contract does not tell: enough of it would take the places of all
 * other holdings in each run.
 */
async function delayUnmovable(
  { db, chain, clock, settings }: SweepContext,
  candidates: readonly FreeHolding[],
  survey: SweepSurvey,
): Promise<void> {
  const stuck = new Set(
    survey.states.flatMap(({ assets, ...state }) => {
      const watchKey = watchKeyOf(chain.addressing, state);
      return assets
        .filter(({ latest, final, work }) => latest === null || (final > 0n && work === null))
        .map(({ currency }) => `${watchKey} ${currency}`);
    }),
  );
  const retries = candidates
    .filter(({ watchKey, currency }) => stuck.has(`${watchKey} ${currency}`))
    .map((candidate) => retryLater(candidate, settings, clock.now()));
  await delayRetries(db, chain.chain, retries);
}

/** What batches need is set up before the first one; addresses that send themselves do not wait for it. */
async function openSteps(
  context: SweepContext,
  steps: readonly SweepStep[],
  survey: SweepSurvey,
  openMax: number,
  signal: AbortSignal,
): Promise<number> {
  const batches = steps.filter(({ plan }) => plan.kind === "batch");
  const others = steps.filter(({ plan }) => plan.kind !== "batch");
  const setUp = batches.length === 0 ? null : setUpStep(survey);
  const ready = setUp === null ? [...batches, ...others] : [setUp, ...others];
  let opened = 0;
  for (const step of ready) {
    if (signal.aborted || opened >= openMax) break;
    if (await createSweep(context, step, signal)) opened += 1;
  }
  return opened;
}

function setUpStep({ setUpFeeUnits }: SweepSurvey): SweepStep | null {
  return setUpFeeUnits === null
    ? null
    : { plan: { kind: "setUp" }, sources: [], feeUnits: setUpFeeUnits };
}

/**
 * Currencies of which waiting payouts need more than the hot account has, without its pending spends. One whose balance is unavailable is
 * not among them.
 */
async function readWanted(
  { db, chain, demand, currencies, logger }: SweepContext,
  signal: AbortSignal,
): Promise<ReadonlySet<CurrencyId>> {
  const waiting = await demand(db, chain.chain);
  if (waiting.length === 0) return new Set();
  const { hot } = ownAccounts(chain);
  const account = present(chain.writer.account, "accounts");
  const inUse = await readAccountInUse(db, chain.chain, hot, null);
  const awaited = new Set<CurrencyId>();
  for (const { currency, units } of waiting) {
    if (!chain.currencies.includes(currency)) continue;
    const { confirmationBlocks } = currencies.get(currency);
    try {
      const held = await account.funds(hot, currency, confirmationBlocks, signal);
      if (freeUnits(held, inUse, currency) < units) awaited.add(currency);
    } catch (error) {
      if (!(error instanceof Unavailable) || signal.aborted) throw error;
      logger.warn("it is not known how much of a currency payouts wait for", {
        chain: chain.chain,
        currency,
        error: error.message,
      });
    }
  }
  return awaited;
}

/** The minimum units worth sweeping of each of the chain's currencies; currencies without a price are left out. */
export function minimumUnits(
  { chain, currencies, settings }: Pick<SweepContext, "chain" | "currencies" | "settings">,
  gauge: SweepSurvey,
  worth: CoinWorth,
  awaited: ReadonlySet<CurrencyId>,
): readonly Minimum[] {
  return chain.currencies.flatMap((id) => {
    const fee = usualFee(gauge, currencies.get(id), settings.sourcesMax);
    const isWanted = awaited.has(id);
    const units = worth.minimumWorth(id, isWanted ? fee : fee * settings.worthTimes);
    return units === null ? [] : [{ currency: id, units, isWanted }];
  });
}
