import type { Database } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainReader } from "../port.ts";
import { firstIssuedAt } from "./watched-address.store.ts";

/** Block times are imprecise: Bitcoin accepts blocks up to two hours ahead, and as old as the median of the last 11. */
const blockTimeToleranceSeconds = 2 * 3600;
/** Where blocks are final, those who make them agree on the time within seconds. */
const finalBlockTimeToleranceSeconds = 600;

/**
 * The first height to read at a chain's very first start: the configured height, else the node's tip. If addresses were
 * already issued (the treasury's own are, before the first block is read), the last block that is certainly older than the
 * first of them. Throws `Unavailable` if the node lacks the blocks since then.
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
  const tolerance =
    reader.finality.kind === "final" ? finalBlockTimeToleranceSeconds : blockTimeToleranceSeconds;
  return lastHeightBefore(reader, tip.height, addSeconds(issuedAt, -tolerance), signal);
}

/**
 * Searches downward from the tip, since many nodes keep recent blocks only, then between the last two heights that it asked
 * for. Block times grow within the tolerance. 0 when no block is older.
 */
async function lastHeightBefore(
  reader: ChainReader,
  tipHeight: number,
  time: Instant,
  signal: AbortSignal,
): Promise<number> {
  /** For the height that is now `older`: what the node answered if it lacks that block. */
  const lacks: { cause: Unavailable | null } = { cause: null };
  const isOlder = async (height: number): Promise<boolean> => {
    try {
      const header = await reader.headerAt(height, signal);
      if (header === null || header.time >= time) return false;
      lacks.cause = null;
    } catch (cause) {
      if (!(cause instanceof Unavailable)) throw cause;
      lacks.cause = cause;
    }
    return true;
  };
  let newer = tipHeight + 1;
  let older = 0;
  for (let step = 1; newer > 0; step *= 2) {
    const height = Math.max(0, newer - step);
    if (height === 0 || (await isOlder(height))) {
      older = height;
      break;
    }
    newer = height;
  }
  while (newer - older > 1) {
    const middle = Math.floor((older + newer) / 2);
    if (await isOlder(middle)) older = middle;
    else newer = middle;
  }
  if (lacks.cause !== null) throw lacks.cause;
  return older;
}
