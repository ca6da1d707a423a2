import type { Witness } from "../chains/chain-adapter.ts";
import type { MinedSpend } from "../chains/port.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { holdTipHeight } from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { enterInclusion, enterOrphan, mature } from "./learn-spend.ts";
import { readFailing } from "./spend.store.ts";
import { currentTxid, type Inclusion, type Spend } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";

export type ReviewContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly listener: SpendListener;
  readonly witness: Pick<Witness, "chain" | "outcomeOf">;
};

/**
 * Reads again what became of transactions of ours that a node reported as failed, once they are as deep as the currency asks: a
 * payout that failed gives its money back, and the receiver of one that did not has it already. Where two nodes (the only one where
 * there is one) say that it failed, it is over; where they say that it succeeded, that is entered in its place.
 */
export async function reviewOutcomes(context: ReviewContext, signal: AbortSignal): Promise<void> {
  const { db, witness } = context;
  for (const spend of await readFailing(db, witness.chain)) {
    const { inclusion, dueHeight } = spend;
    const txid = currentTxid(spend);
    if (signal.aborted || inclusion === null || txid === null || dueHeight === null) continue;
    const mined = await witness.outcomeOf(inclusion, txid, dueHeight, signal);
    if (mined !== null) await enter(context, spend, inclusion, mined);
  }
}

async function enter(
  { db, clock, logger, listener, witness: { chain } }: ReviewContext,
  { id }: Spend,
  told: Inclusion,
  mined: MinedSpend,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const tipHeight = await holdTipHeight(tx, chain);
    if (tipHeight === null) return;
    const change = (learn: (spend: Spend) => Spend) =>
      changeSpends(tx, listener, [id], (one) => (isAsTold(one, told) ? learn(one) : one), now);
    const { height, hash } = told;
    const again = { ...mined, height, hash };
    if (hasSucceeded(mined)) {
      logger.error("a transaction that a node had reported as failed succeeded", { chain, id });
      const undone = await change((spend) => enterOrphan(spend, hash, now));
      if (undone.length === 0) return;
      await changeSpends(
        tx,
        listener,
        [id],
        (spend) => mature(enterInclusion(spend, again, now), tipHeight, now),
        now,
      );
    } else await change((spend) => mature(spend, tipHeight, now));
  });
}

/** As `enterInclusion` judges it: what brought its receiver nothing paid nobody. */
function hasSucceeded({ hasSucceeded: isExecuted, delivery }: MinedSpend): boolean {
  return isExecuted && delivery?.arrivedUnits !== 0n;
}

function isAsTold({ state, inclusion }: Spend, { hash }: Inclusion): boolean {
  return state === "included" && inclusion?.hash === hash && !inclusion.hasSucceeded;
}
