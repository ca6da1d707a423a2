import type { Clock } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ChainAdapter, NodeReader } from "../chain-adapter.ts";
import type { Cursor } from "./cursor.ts";

type ComparedChain = {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly adapter: ChainAdapter;
};

/** A follower's session: our newest block, replaced with each block, until the signal aborts. */
type Following = { readonly cursor: Cursor; readonly signal: AbortSignal };

/** Between two looks at the other nodes. Two are needed, so a node that lags behind the others by less stays in use. */
const lookMs = 30_000;

/** The height of each node that was ahead of the node in use. */
type Ahead = ReadonlyMap<string, number>;

/**
 * Replaces a node that answers but shows nothing new, because it is still syncing, has no peers or has hung: once two looks in a row
 * found another node with our newest block and with blocks that the node in use does not have. Runs until the session ends, beside
 * the follower, which must not wait for nodes that are silent.
 */
export async function preferNodeAhead(context: ComparedChain, session: Following): Promise<void> {
  const { clock, logger, adapter } = context;
  const { signal } = session;
  const isOver = (): boolean => signal.aborted;
  let before: Ahead = new Map();
  let from = session.cursor;
  for (;;) {
    await clock.sleep(lookMs, signal);
    if (isOver()) return;
    const hasMoved = session.cursor !== from;
    from = session.cursor;
    if (hasMoved) {
      before = new Map();
      continue;
    }
    try {
      before = await look(context, session, before);
    } catch (error) {
      if (isOver()) return;
      // The follower notices a node in use that does not answer.
      if (!(error instanceof Unavailable))
        logger.warn("nodes not compared", { chain: adapter.chain, error: errorMessage(error) });
    }
  }
}

/** The nodes that are ahead now. Puts one of them in use if it already had a block before that the node in use still lacks. */
async function look(
  { adapter: { chain, nodes }, logger }: ComparedChain,
  session: Following,
  before: Ahead,
): Promise<Ahead> {
  const [inUse, ...others] = nodes.available();
  if (inUse === undefined || others.length === 0) return new Map();
  const { height } = await inUse.reader.tip(session.signal);
  // It has blocks for the follower, which waits for something else.
  if (height > session.cursor.height) return new Map();
  const ahead = new Map<string, number>();
  for (const other of others) {
    const theirs = await heightAhead(other, session, height);
    if (theirs === null) continue;
    ahead.set(other.node, theirs);
    if ((before.get(other.node) ?? height) <= height) continue;
    const fields = { chain, from: inUse.node, fromHeight: height, to: other.node };
    logger.warn("another node is ahead", { ...fields, toHeight: theirs });
    nodes.prefer(other.node);
    return new Map();
  }
  return ahead;
}

/** The height of the node's tip if it has our newest block and more than the node in use; null if not, or if it does not answer. */
async function heightAhead(
  { reader }: NodeReader,
  { cursor, signal }: Following,
  heightInUse: number,
): Promise<number | null> {
  try {
    const tip = await reader.tip(signal);
    if (tip.height <= heightInUse || tip.height < cursor.height) return null;
    if (cursor.hash === null) return tip.height;
    const ours = await reader.headerAt(cursor.height, signal);
    return ours?.hash === cursor.hash ? tip.height : null;
  } catch (error) {
    if (signal.aborted || !(error instanceof Unavailable)) throw error;
    return null;
  }
}
