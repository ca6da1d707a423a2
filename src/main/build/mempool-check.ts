import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import { listPauses } from "../../payouts/controls/pause.store.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { findUnexplainedInMempool } from "../../treasury/recovery/detect-unexplained.ts";
import type { Foundation } from "./foundation.ts";
import { pauseChain } from "./pause-restored.ts";

const everySeconds = 60;

/**
 * Looks for our own transactions in the mempool: once after the start, and every minute while a restore pauses the chain's
 * payouts. It may read the whole mempool.
 */
export function createMempoolCheck(
  { db, clock, logger }: Foundation,
  adapter: ChainAdapter,
): (signal: AbortSignal) => Promise<void> {
  const { chain, writer } = adapter;
  let checkedAt: Instant | null = null;
  return async (signal) => {
    if (writer === null) return;
    const now = clock.now();
    if (checkedAt !== null) {
      if (secondsBetween(checkedAt, now) < everySeconds) return;
      const pauses = await listPauses(db, now);
      const isPaused = pauses.some(
        ({ kind, scope }) => kind === "restore" && (scope === "all" || scope === `chain/${chain}`),
      );
      if (!isPaused) return;
    }
    await findUnexplainedInMempool(
      { db, clock, logger, chains: [adapter], pauseChain },
      adapter,
      signal,
    );
    checkedAt = now;
  };
}
