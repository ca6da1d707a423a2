import type { Clock } from "../platform/kernel/clock.ts";
import { errorMessage } from "../platform/kernel/error-message.ts";
import type { Logger } from "../platform/kernel/logger.ts";

/** What flushing takes of a node. */
type FlushedNode = {
  readonly chain: string;
  readonly command: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  readonly ended: Promise<void>;
};

/**
 * Has bitcoind or litecoind write its chain to disk: counting the coins does. By itself it does so every hour and at its
 * end, and a node that is killed comes back with the chain of the last time.
 */
export async function flushBlocks(node: Pick<FlushedNode, "command">): Promise<void> {
  await node.command("gettxoutsetinfo", ["none"]);
}

const everyMs = 2_000;

/** Writes each new block soon, until the node ends: what `kill -9` costs is then a block or two, as on a public network. */
export async function flushEachBlock(
  node: FlushedNode,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<void> {
  const ended = new AbortController();
  void node.ended.then(() => {
    ended.abort();
  });
  let flushed: unknown = null;
  for (;;) {
    await clock.sleep(everyMs, ended.signal);
    if (ended.signal.aborted) return;
    try {
      const tip = await node.command("getbestblockhash");
      if (tip !== flushed) await flushBlocks(node);
      flushed = tip;
    } catch (error) {
      logger.debug("not flushed", { chain: node.chain, error: errorMessage(error) });
    }
  }
}
