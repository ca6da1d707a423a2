import type { ChainReader } from "../../chains/port.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { Database } from "../../platform/db/database.ts";
import {
  addSeconds,
  type Clock,
  type Instant,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { compareHoldings } from "../../treasury/holdings/compare-holdings.ts";
import { recordRun } from "../../treasury/holdings/comparison.store.ts";
import {
  type DifferenceState,
  pauseOnDifference,
} from "../../treasury/holdings/pause-on-difference.ts";
import type { FollowedChain } from "./build-adapters.ts";

type GainTerms = Pick<Currency, "kind" | "minimalTransferUnits">;

export type Reconciling = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chains: readonly FollowedChain[];
  readonly currencies: { readonly find: (id: string) => GainTerms | null };
  /** How long a difference may last before it stops the chain's payouts; default 10 minutes. */
  readonly stopAfterSeconds?: number;
};

const everySeconds = 60;
/** Delay after a difference, and after a comparison that did not complete. */
const againSeconds = 5;
/**
 * Reading many addresses takes a node a while. The pause leaves it time for other work, but is shorter than emptying a chain
 * would take.
 */
const restPerWork = 50;
const restSecondsMax = 600;
const stopAfterSecondsUnlessTold = 600;
/** How many addresses without holdings one comparison reads per currency. */
const sampleOfAccounts = 1_000;
/** Bitcoin Core scans all unspent outputs for one sample, whatever its size: minutes on a public network. */
const sampleOfCoins = 10_000;
const walkEverySeconds = 6 * 3600;
/** How long to wait before logging the same failure again. */
const logAgainSeconds = 600;

type ChainMemory = {
  dueAt: Instant;
  walkDueAt: Instant;
  failure: { readonly text: string; readonly loggedAt: Instant } | null;
};

type Outcome = { readonly failure: string | null; readonly state: DifferenceState };

/**
 * Creates the job that compares the ledger with the chains, per currency. A difference larger than what is in flight stops the
 * chain's payouts at once; a smaller one stops them when it lasts. Either is checked again within seconds, as is a comparison
 * that did not complete.
 */
export function createReconciliation(context: Reconciling): (signal: AbortSignal) => Promise<void> {
  const memories = new Map<string, ChainMemory>();
  return async (signal) => {
    for (const chain of context.chains) {
      const now = context.clock.now();
      const memory = memories.get(chain.adapter.chain) ?? {
        dueAt: now,
        walkDueAt: now,
        failure: null,
      };
      memories.set(chain.adapter.chain, memory);
      if (memory.dueAt > now || signal.aborted) continue;
      let outcome: Outcome = { failure: "it was interrupted", state: "watched" };
      try {
        outcome = await reconcileChain(context, chain, memory, signal);
      } finally {
        const endedAt = context.clock.now();
        memory.dueAt = addSeconds(endedAt, restAfter(outcome, secondsBetween(now, endedAt)));
      }
    }
  };
}

function restAfter({ failure, state }: Outcome, workSeconds: number): number {
  if (failure !== null || state !== "equal") return Math.max(againSeconds, workSeconds);
  return Math.max(everySeconds, Math.min(restPerWork * workSeconds, restSecondsMax));
}

async function reconcileChain(
  context: Reconciling,
  chain: FollowedChain,
  memory: ChainMemory,
  signal: AbortSignal,
): Promise<Outcome> {
  const { db, clock } = context;
  const { adapter } = chain;
  const beyondFlight = new Set<string>();
  const gains = new Map<CurrencyId, bigint>();
  let failure: string | null = null;
  try {
    failure = await compareAll(context, chain, memory, { beyondFlight, gains }, signal);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    failure = errorMessage(error);
  }
  const stopAfterSeconds = context.stopAfterSeconds ?? stopAfterSecondsUnlessTold;
  const state = await pauseOnDifference(
    { ...context, stopAfterSeconds, beyondFlight, gains },
    adapter.chain,
    adapter.currencies,
  );
  await recordRun(db, adapter.chain, failure, clock.now());
  logFailure(context, adapter.chain, memory, failure);
  return { failure, state };
}

/** Why some currencies were not compared; null when all were. */
async function compareAll(
  { db, clock, logger, currencies }: Reconciling,
  { adapter, balances, isIdle }: FollowedChain,
  memory: ChainMemory,
  { beyondFlight, gains }: { beyondFlight: Set<string>; gains: Map<CurrencyId, bigint> },
  signal: AbortSignal,
): Promise<string | null> {
  const isWalked = balances === "scan" && !isIdle;
  const sampleMax =
    balances === "none" || (isWalked && memory.walkDueAt > clock.now())
      ? 0
      : adapter.addressing.changeAt === null
        ? sampleOfAccounts
        : sampleOfCoins;
  let failure: string | null = null;
  for (const currency of adapter.currencies) {
    const gainMost = gainMostOf(adapter.reader, currencies.find(currency));
    const context = { db, clock, logger, chain: adapter, sampleMax, gainMost };
    const compared = await compareHoldings(context, currency, signal);
    if (compared === null)
      failure = `currency ${currency}: the node could not answer for the booked block, or the books were adjusted before it did`;
    else if (compared.exceedsFlight) beyondFlight.add(currency);
    else if (compared.isGain) gains.set(currency, gainMost);
    if (isWalked && compared?.hasSampled === true)
      memory.walkDueAt = addSeconds(clock.now(), walkEverySeconds);
  }
  return failure;
}

/**
 * Where coin reaches accounts without a transaction, anyone may send the hot account one unit, and so stop payouts. Less than the smallest
 * transfer is the operator's gain. At the address of a deposit it would be dust, so no payment that was missed can be booked this way.
 */
function gainMostOf({ creditsAnyAccount }: ChainReader, terms: GainTerms | null): bigint {
  if (creditsAnyAccount !== true || terms?.kind !== "coin") return 0n;
  return terms.minimalTransferUnits - 1n;
}

function logFailure(
  { clock, logger }: Reconciling,
  chain: string,
  memory: ChainMemory,
  failure: string | null,
): void {
  const now = clock.now();
  const previousFailure = memory.failure;
  if (failure === null) {
    memory.failure = null;
    if (previousFailure !== null) logger.info("reconciled again", { chain });
    return;
  }
  if (
    previousFailure?.text === failure &&
    secondsBetween(previousFailure.loggedAt, now) < logAgainSeconds
  )
    return;
  memory.failure = { text: failure, loggedAt: now };
  logger.warn("not reconciled", { chain, error: failure });
}
