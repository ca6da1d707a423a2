import type { ChainReader } from "../chains/port.ts";
import type { Database } from "../db/database.ts";
import type { Logger } from "../kernel/logger.ts";
import { doubtedCoins, settleDoubt } from "./coin.store.ts";

export type CoinReview = {
  readonly db: Database;
  readonly logger: Logger;
  readonly chain: string;
  readonly reader: Pick<ChainReader, "fate">;
};

/** Asked about at once; the next turn sees to the rest. */
const batchSize = 100;
/** A transaction that never was: what it would have spent is what is asked about. */
const nobody = "0".repeat(64);

/**
 * Asks the chain about coins whose spend died, so that a coin which somebody else has used is not chosen again and again.
 * Those that nothing contradicts can be spent again. Rejects with `Unavailable` with the node.
 */
export async function reviewCoins(
  { db, logger, chain, reader }: CoinReview,
  signal: AbortSignal,
): Promise<void> {
  for (const outpoint of await doubtedCoins(db, chain, batchSize)) {
    const fate = await reader.fate(nobody, [outpoint], signal);
    const isSpent = fate.kind === "conflicted";
    if (isSpent) {
      logger.error("a coin of ours was spent by a transaction that is not ours", {
        ...{ chain, outpoint, by: fate.by },
      });
    }
    const height = isSpent ? fate.height : null;
    await settleDoubt(db, chain, outpoint, { isSpent, height });
  }
}
