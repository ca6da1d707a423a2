import { listPauses } from "../../payouts/controls/pause.store.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import {
  findUnexplainedInMempool,
  type UnexplainedContext,
} from "../../treasury/recovery/detect-unexplained.ts";
import type { Foundation } from "./foundation.ts";

const everySeconds = 60;

/**
 * Looks for our own transactions in the mempool: once after the start, and every minute while a restore pauses the chain's
 * payouts. It may read the whole mempool.
 */
export function createMempoolCheck(
  context: Pick<Foundation, "db" | "clock" | "logger"> & Pick<UnexplainedContext, "pauseChain">,
  adapter: Parameters<typeof findUnexplainedInMempool>[1],
): (signal: AbortSignal) => Promise<void> {
  const { db, clock } = context;
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
    await findUnexplainedInMempool({ ...context, chains: [adapter] }, adapter, signal);
    checkedAt = now;
  };
}
