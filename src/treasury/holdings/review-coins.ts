import type { ChainReader, Fate } from "../../chains/port.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { listDoubtfulCoins, lockTip, resolveDoubtfulCoins } from "./coin.store.ts";

export type CoinReview = {
  readonly db: Database;
  readonly logger: Logger;
  readonly chain: string;
  readonly reader: Pick<ChainReader, "fate" | "unspentAmong">;
};

/** Asked about at once; the next turn sees to the rest. */
const batchSize = 50;
/** A transaction that never was: what it would have spent is what is asked about. */
const nobody = "0".repeat(64);

/**
 * Asks the chain about coins whose spend died, so that a coin which somebody else has used is not chosen again and again.
 * Those that nothing has used can be spent again. A node is believed only where it answers by the very block that we read last: one
 * that lags or follows another branch says nothing of ours, and the coins stay doubted. Nothing on account chains. Rejects with
 * `Unavailable` with the node.
 */
export async function reviewCoins(review: CoinReview, signal: AbortSignal): Promise<void> {
  const { db, logger, chain, reader } = review;
  if (reader.unspentAmong === null) return;
  const doubted = await listDoubtfulCoins(db, chain, batchSize);
  if (doubted.length === 0) return;
  const said = await reader.unspentAmong(doubted, signal);
  if (said === null) return;
  const gone = doubted.filter((outpoint) => !said.outpoints.has(outpoint));
  // Who used them, and where, is told for operators, and so that a re-org gives them back; that they are used is known by now.
  const fates = new Map<string, Fate>();
  for (const outpoint of gone) fates.set(outpoint, await reader.fate(nobody, [outpoint], signal));
  const isSettled = await db.transaction(async (tx) => {
    const tipHeight = await lockTip(tx, chain, said.atHash);
    if (tipHeight === null) return false;
    const coins = doubted.map((outpoint) => ({
      outpoint,
      spentHeight: said.outpoints.has(outpoint)
        ? null
        : spentHeightOf(fates.get(outpoint), tipHeight),
    }));
    await resolveDoubtfulCoins(tx, chain, coins);
    return true;
  });
  if (!isSettled) {
    logger.info("doubted coins wait for a node that stands where we do", { chain });
    return;
  }
  for (const outpoint of gone) {
    const fate = fates.get(outpoint);
    const by = fate?.kind === "conflicted" ? fate.by : null;
    logger.error("a coin of ours was spent by a transaction that is not ours", {
      chain,
      outpoint,
      by,
    });
  }
}

/** The node's word where it can be, or else the newest block: whichever holds it, the coin is used there. */
function spentHeightOf(fate: Fate | undefined, tipHeight: number): number {
  const height = fate?.kind === "conflicted" ? fate.height : null;
  return height === null || height > tipHeight ? tipHeight : height;
}
