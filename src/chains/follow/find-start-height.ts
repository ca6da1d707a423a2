import type { Database } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainReader } from "../port.ts";
import { firstIssuedAt } from "./watched-address.store.ts";

/** Block times are imprecise: Bitcoin accepts blocks up to two hours ahead, and as old as the median of the last 11. */
const blockTimeToleranceSeconds = 2 * 3600;

/**
 * The first height to read at a chain's very first start: the configured height, else the node's tip. If addresses were
 * already issued (the node was unreachable until now), the last block that is certainly older than the first of them.
 */
export async function findStartHeight(
  context: {
    readonly db: Database;
    readonly adapter: ChainAdapter;
    readonly startHeight: number | null;
  },
  signal: AbortSignal,
): Promise<number> {
  if (context.startHeight !== null) return context.startHeight;
  const { reader, keyspace } = context.adapter;
  const tip = await reader.tip(signal);
  const issuedAt = await firstIssuedAt(context.db, keyspace);
  if (issuedAt === null) return tip.height;
  return lastHeightBefore(
    reader,
    tip.height,
    addSeconds(issuedAt, -blockTimeToleranceSeconds),
    signal,
  );
}

/** Bisects block times, which grow within the tolerance. 0 when no block is older. */
async function lastHeightBefore(
  reader: ChainReader,
  tipHeight: number,
  time: Instant,
  signal: AbortSignal,
): Promise<number> {
  let older = 0;
  let newer = tipHeight + 1;
  while (newer - older > 1) {
    const middle = Math.floor((older + newer) / 2);
    const header = await reader.headerAt(middle, signal);
    if (header !== null && header.time < time) older = middle;
    else newer = middle;
  }
  return older;
}
