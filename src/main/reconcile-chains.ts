import { readCursor } from "../chains/follower.store.ts";
import { readHoldings } from "../chains/read-holdings.ts";
import type { Database } from "../db/database.ts";
import { addSeconds, type Clock, type Instant, secondsBetween } from "../kernel/clock.ts";
import { errorMessage } from "../kernel/error-message.ts";
import type { Logger } from "../kernel/logger.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { reconcile } from "../ledger/reconcile.ts";
import { type Judgement, judgeDifferences } from "../treasury/judge-differences.ts";
import type { FollowedChain } from "./build-adapters.ts";

export type Reconciling = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chains: readonly FollowedChain[];
  /** A difference that lasts so long stops the chain's payouts; default 10 minutes. */
  readonly stopAfterSeconds?: number;
};

/** A Bitcoin node answers for addresses by walking all coins there are: on a public network that takes minutes. */
const costlySeconds = 6 * 3600;
const cheapSeconds = 60;
/** A difference is looked at again so soon, however costly: payouts are to stop before more of them go. */
const doubtSeconds = 600;
const stopAfterSecondsUnlessTold = 600;
/** An EVM node is asked about each address: with many of them it must have time for the rest of its work. */
const restPerWork = 50;

/**
 * Makes the job that holds the books against the chains: per currency, what our addresses hold there and what the
 * ledger says. A silent node is asked again at the next turn. A difference that lasts stops the chain's payouts.
 */
export function createReconciliation(context: Reconciling): (signal: AbortSignal) => Promise<void> {
  const dueAt = new Map<string, Instant>();
  return async (signal) => {
    for (const chain of context.chains) {
      const now = context.clock.now();
      if ((dueAt.get(chain.adapter.chain) ?? now) > now) continue;
      let judgement: Judgement = "equal";
      try {
        judgement = await reconcileChain(context, chain, signal);
      } finally {
        const endedAt = context.clock.now();
        const pause = pauseAfter(chain, judgement);
        const rest = restPerWork * secondsBetween(now, endedAt);
        dueAt.set(chain.adapter.chain, addSeconds(endedAt, Math.max(pause, rest)));
      }
    }
  };
}

function pauseAfter({ isScanned, isIdle }: FollowedChain, judgement: Judgement): number {
  if (!isScanned || isIdle) return cheapSeconds;
  return judgement === "equal" ? costlySeconds : doubtSeconds;
}

async function reconcileChain(
  context: Reconciling,
  { adapter }: FollowedChain,
  signal: AbortSignal,
): Promise<Judgement> {
  const { db, logger } = context;
  try {
    for (const currency of adapter.currencies) {
      await reconcile(
        context,
        {
          chain: adapter.chain,
          bookedUpTo: async () => {
            const cursor = await readCursor(db, adapter.chain);
            if (cursor === null || cursor.hash === null) return null;
            return { height: cursor.height, hash: cursor.hash };
          },
          holdings: (id, at, aborted) => readHoldings({ db, adapter }, id, at.hash, aborted),
        },
        currency,
        signal,
      );
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    logger.warn("not reconciled", { chain: adapter.chain, error: errorMessage(error) });
  }
  const stopAfterSeconds = context.stopAfterSeconds ?? stopAfterSecondsUnlessTold;
  return judgeDifferences({ ...context, stopAfterSeconds }, adapter.chain, adapter.currencies);
}
