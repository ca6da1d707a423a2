import type { Witness } from "../../chains/chain-adapter.ts";
import type { MinedSpend } from "../../chains/port.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { lockTipHeight } from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { readDueSpends } from "./spend.store.ts";
import { currentTxid, type Inclusion, type Spend } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";
import {
  finalize,
  inclusionOf,
  type Mined,
  recordInclusion,
  recordReorg,
} from "./spend-transitions.ts";

export type ConfirmOutcomesContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly listener: SpendListener;
  readonly witness: Pick<Witness, "chain" | "outcomesOf">;
};

/** So many are asked about, and booked, together. */
const pageSize = 100;

/**
 * Reads again what became of our own transactions, once they are as deep as the currency asks, block by block: a payout that failed
 * gives its money back, and one that succeeded has paid. What two nodes (the only one where there is one) say alike is entered, also
 * where it differs from what was told first; then the spend is over. On what they do not agree waits.
 */
export async function confirmOutcomes(
  context: ConfirmOutcomesContext,
  signal: AbortSignal,
): Promise<void> {
  const { db, witness } = context;
  for (let last = "0"; !signal.aborted; ) {
    const page = await readDueSpends(db, witness.chain, last, pageSize);
    const due = page.flatMap(dueOf);
    for (const ofBlock of Map.groupBy(due, ({ told }) => told.hash).values()) {
      const { told } = present(ofBlock[0], "a spend of the block");
      const outcomes = await witness.outcomesOf(told, ofBlock, signal);
      const byTxid = new Map(outcomes.map((mined) => [mined.txid, mined]));
      const reviewed = ofBlock.flatMap(({ id, txid }): Reviewed[] => {
        const mined = byTxid.get(txid);
        return mined === undefined ? [] : [[id, mined]];
      });
      if (reviewed.length > 0) await enter(context, told, new Map(reviewed));
    }
    if (page.length < pageSize) return;
    last = page.at(-1)?.id ?? last;
  }
}

type Reviewed = readonly [spendId: string, mined: MinedSpend];

function dueOf(spend: Spend) {
  const { id, inclusion: told, dueHeight } = spend;
  const txid = currentTxid(spend);
  return told === null || txid === null || dueHeight === null
    ? []
    : [{ id, told, txid, dueHeight }];
}

async function enter(
  { db, clock, logger, listener, witness: { chain } }: ConfirmOutcomesContext,
  { height, hash }: Inclusion,
  reviewed: ReadonlyMap<string, MinedSpend>,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    // The follower moves its cursor first and changes spends then: so in this order here too.
    const tipHeight = await lockTipHeight(tx, chain);
    if (tipHeight === null) return;
    const minedOf = ({ id }: Spend): Mined => {
      return { ...present(reviewed.get(id), `the outcome of spend ${id}`), height, hash };
    };
    const change = (ids: readonly string[], learn: (spend: Spend) => Spend) =>
      changeSpends(tx, listener, ids, learn, now);
    const changes = await change([...reviewed.keys()], (spend) => {
      if (spend.state !== "included" || spend.inclusion?.hash !== hash) return spend;
      const { inclusion } = spend;
      const attempt = spend.attempts.find(({ number }) => number === inclusion.attempt);
      const mined = minedOf(spend);
      // A transaction that is not ours has another fee than the draft, and was asked for it when it was found.
      const feeUnits = mined.feeUnits ?? inclusion.burntUnits;
      const known = present(attempt, `the attempt of spend ${spend.id}`);
      const again = inclusionOf(known, { ...mined, feeUnits });
      // What follows from the opposite outcome is booked as if its block had been another one.
      return again.hasSucceeded === inclusion.hasSucceeded
        ? finalize({ ...spend, inclusion: again }, tipHeight, now)
        : recordReorg(spend, hash, now);
    });
    const opposite = changes.flatMap(({ after }) => (after.state === "open" ? [after.id] : []));
    for (const spend of opposite)
      logger.error("the outcome of a transaction is not what a node said first", { chain, spend });
    await change(opposite, (spend) =>
      finalize(recordInclusion(spend, minedOf(spend), now), tipHeight, now),
    );
  });
}
