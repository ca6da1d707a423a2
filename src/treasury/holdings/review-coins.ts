import type { ChainReader, TransactionStatus } from "../../chains/port.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { listDoubtfulCoins, lockTip, resolveDoubtfulCoins } from "./coin.store.ts";

export type CoinReview = {
  readonly db: Database;
  readonly logger: Logger;
  readonly chain: string;
  readonly reader: Pick<ChainReader, "statusOf" | "unspentOutputs">;
};

/** Coins per run; the next run takes the rest. */
const batchSize = 50;
/** A transaction id that does not exist, since only the coins it would spend matter. */
const unknownTxid = "0".repeat(64);

/**
 * Asks the chain about coins whose spend died, so that a coin spent by a foreign transaction is not chosen again and again.
 * Unspent ones become available again. An answer counts only if the node gives it as of the block that we read last; a node
 * that lags or follows another branch proves nothing, and the coins stay doubtful. Does nothing on account chains. Rejects with
 * `Unavailable` if the node does not respond.
 */
export async function reviewCoins(review: CoinReview, signal: AbortSignal): Promise<void> {
  const { db, logger, chain, reader } = review;
  if (reader.unspentOutputs === null) return;
  const doubted = await listDoubtfulCoins(db, chain, batchSize);
  if (doubted.length === 0) return;
  const unspent = await reader.unspentOutputs(doubted, signal);
  if (unspent === null) return;
  const spentOutpoints = doubted.filter((outpoint) => !unspent.outpoints.has(outpoint));
  // That they are spent is known by now. The spender and its block are for operators, and for reorgs, which make the coin
  // unspent again.
  const statuses = new Map<string, TransactionStatus>();
  for (const outpoint of spentOutpoints)
    statuses.set(outpoint, await reader.statusOf(unknownTxid, [outpoint], signal));
  const isSettled = await db.transaction(async (tx) => {
    const tipHeight = await lockTip(tx, chain, unspent.atHash);
    if (tipHeight === null) return false;
    const coins = doubted.map((outpoint) => ({
      outpoint,
      spentHeight: unspent.outpoints.has(outpoint)
        ? null
        : spentHeightOf(statuses.get(outpoint), tipHeight),
    }));
    await resolveDoubtfulCoins(tx, chain, coins);
    return true;
  });
  if (!isSettled) {
    logger.info("doubtful coins wait for a node that is at our block", { chain });
    return;
  }
  for (const outpoint of spentOutpoints) {
    const status = statuses.get(outpoint);
    const by = status?.kind === "conflicted" ? status.by : null;
    logger.error("a coin of ours was spent by a foreign transaction", {
      chain,
      outpoint,
      by,
    });
  }
}

/** The node's height if it is plausible, otherwise the newest block's: the coin is spent in any case. */
function spentHeightOf(status: TransactionStatus | undefined, tipHeight: number): number {
  const height = status?.kind === "conflicted" ? status.height : null;
  return height === null || height > tipHeight ? tipHeight : height;
}
