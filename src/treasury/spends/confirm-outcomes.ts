import { isDeepStrictEqual } from "node:util";
import type { SecondOpinion } from "../../chains/chain-adapter.ts";
import type { TransactionReceipt } from "../../chains/port.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { lockTip } from "./block.store.ts";
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
  readonly secondOpinion: Pick<SecondOpinion, "chain" | "confirmReceipts">;
};

/** Spends that are read and booked together. */
const pageSize = 100;

/**
 * Reads the outcome of our own transactions again once they are at the currency's confirmation count or in a locked block: a failed
 * payout releases its money, a successful one has paid. What two nodes agree on (or the only node) is recorded, even if it
 * differs from the first report; then the spend is final. Without agreement it waits.
 */
export async function confirmOutcomes(
  context: ConfirmOutcomesContext,
  signal: AbortSignal,
): Promise<void> {
  const { db, secondOpinion } = context;
  for (let last = "0"; !signal.aborted; ) {
    const page = await readDueSpends(db, secondOpinion.chain, last, pageSize);
    const due = page.flatMap(dueOf);
    for (const ofBlock of Map.groupBy(due, ({ reported }) => reported.hash).values()) {
      const { reported } = present(ofBlock[0], "a spend of the block");
      const outcomes = await secondOpinion.confirmReceipts(reported, ofBlock, signal);
      const byTxid = new Map(outcomes.map((mined) => [mined.txid, mined]));
      const reviewed = ofBlock.flatMap(({ id, txid }): Reviewed[] => {
        const mined = byTxid.get(txid);
        return mined === undefined ? [] : [[id, mined]];
      });
      if (reviewed.length > 0) await record(context, reported, new Map(reviewed));
    }
    if (page.length < pageSize) return;
    last = page.at(-1)?.id ?? last;
  }
}

type Reviewed = readonly [spendId: string, mined: TransactionReceipt];

function dueOf(spend: Spend) {
  const { id, inclusion: reported, dueHeight } = spend;
  const txid = currentTxid(spend);
  return reported === null || txid === null || dueHeight === null
    ? []
    : [{ id, reported, txid, dueHeight }];
}

async function record(
  { db, clock, logger, listener, secondOpinion: { chain } }: ConfirmOutcomesContext,
  { height, hash }: Inclusion,
  reviewed: ReadonlyMap<string, TransactionReceipt>,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    // Locks in the follower's order: first the cursor, then the spends.
    const tip = await lockTip(tx, chain);
    if (tip === null) return;
    const finalizeAtTip = (spend: Spend): Spend =>
      finalize(spend, tip.height, now, tip.lockedHeight);
    const feesFirstReported = new Map<string, bigint>();
    const minedOf = ({ id }: Spend): Mined => {
      const receipt = present(reviewed.get(id), `the outcome of spend ${id}`);
      const feeUnits = receipt.feeUnits ?? feesFirstReported.get(id) ?? null;
      return { ...receipt, feeUnits, height, hash };
    };
    const change = (ids: readonly string[], apply: (spend: Spend) => Spend) =>
      changeSpends(tx, listener, ids, apply, now);
    const changes = await change([...reviewed.keys()], (spend) => {
      if (spend.state !== "included" || spend.inclusion?.hash !== hash) return spend;
      const { inclusion } = spend;
      const attempt = spend.attempts.find(({ number }) => number === inclusion.attempt);
      // Without a fee that the nodes agree on (or state), the one read with the block stays.
      feesFirstReported.set(spend.id, inclusion.burntUnits);
      const known = present(attempt, `the attempt of spend ${spend.id}`);
      const again = inclusionOf(known, minedOf(spend));
      // The opposite outcome is booked as if the transaction's block had been replaced.
      return again.hasSucceeded === inclusion.hasSucceeded &&
        isDeepStrictEqual(again.payments, inclusion.payments)
        ? finalizeAtTip({ ...spend, inclusion: again })
        : recordReorg(spend, hash, now);
    });
    const opposite = changes.flatMap(({ after }) => (after.state === "open" ? [after.id] : []));
    for (const spend of opposite)
      logger.error("the outcome of a transaction is not what a node first reported", {
        chain,
        spend,
      });
    await change(opposite, (spend) => finalizeAtTip(recordInclusion(spend, minedOf(spend), now)));
  });
}
