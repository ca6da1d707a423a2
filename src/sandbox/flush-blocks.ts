import type { Clock } from "../platform/kernel/clock.ts";
import { errorMessage } from "../platform/kernel/error-message.ts";
import type { Logger } from "../platform/kernel/logger.ts";

/** The part of a node that flushing uses. */
type FlushedNode = {
  readonly chain: string;
  readonly command: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  readonly ended: Promise<void>;
};

/**
 * Makes bitcoind or litecoind write its chain to disk, which counting the coins does. On its own it does so hourly and at
 * exit, so a killed node would lose up to an hour of blocks.
 */
export async function flushBlocks(node: Pick<FlushedNode, "command">): Promise<void> {
  await node.command("gettxoutsetinfo", ["none"]);
}

const everyMs = 2_000;

/** Flushes each new block until the node ends, so that `kill -9` costs a block or two, as on a public network. */
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
