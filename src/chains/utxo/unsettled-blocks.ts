import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockContent, OutgoingTransaction, Transfer } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import type { BlockSource } from "./block-source.ts";
import { type BlockLocks, readNewest } from "./headers.ts";

/** The blocks above the tip, newest first: none where every block is settled at once. */
export type UnsettledBlocks = (signal: AbortSignal) => Promise<readonly BlockContent[]>;

/** Reads the blocks above the tip; those of the last call are not read again. */
export function createUnsettledBlocks(
  rpc: JsonRpc,
  source: BlockSource,
  locks: BlockLocks,
): UnsettledBlocks {
  if (locks === null) return () => Promise.resolve([]);
  let known: ReadonlyMap<string, BlockContent> = new Map();
  return async (signal) => {
    const { above } = await readNewest(rpc, signal, locks);
    const contents: BlockContent[] = [];
    for (const block of above) {
      const content = known.get(block.hash) ?? (await source.readBlock(block, signal));
      if (content === null)
        throw new Unavailable("node", `has lost block ${block.hash}, one of its newest`);
      contents.push(content);
    }
    known = new Map(contents.map((content) => [content.block.hash, content]));
    return contents;
  };
}

/** Everything that is pending: in the pool, or in a block above the tip. What has just moved between them is in both. */
export function withUnsettledTransfers(
  pool: readonly Transfer[],
  blocks: readonly BlockContent[],
): readonly Transfer[] {
  if (blocks.length === 0) return pool;
  const inBlocks = blocks.flatMap(({ transfers }) => transfers);
  const included = new Set(inBlocks.map(({ key }) => key.txid));
  return [...pool.filter(({ key }) => !included.has(key.txid)), ...inBlocks];
}

/** The same for transactions that spend from our sources. */
export function withUnsettledSpends(
  pool: readonly OutgoingTransaction[],
  blocks: readonly BlockContent[],
  isOurs: (source: string) => boolean,
): readonly OutgoingTransaction[] {
  const inBlocks = blocks.flatMap(({ spends }) =>
    spends.transactionsFrom(new Set(spends.sources().filter(isOurs))),
  );
  const included = new Set(inBlocks.map(({ txid }) => txid));
  return [...pool.filter(({ txid }) => !included.has(txid)), ...inBlocks];
}
