import type { BlockRef, ChainReader, OutgoingTransaction } from "../../chains/port.ts";

/** A transaction in a block of the best chain. */
export type Spender = { readonly block: BlockRef; readonly transaction: OutgoingTransaction };

/**
 * The transactions that spend the sources (as in `BlockSpends`), in the blocks from that height up to the block of that hash, until all are
 * found. Null if that block is not on the node's best chain any more, or the blocks do not spend all of them. Rejects with `Unavailable`
 * if the node does not respond.
 */
export async function findSpenders(
  reader: Pick<ChainReader, "headerAt" | "headerByHash" | "readBlock" | "readSpends">,
  sources: ReadonlySet<string>,
  fromHeight: number,
  lastHash: string,
  signal: AbortSignal,
): Promise<readonly Spender[] | null> {
  const last = await reader.headerByHash(lastHash, signal);
  if (last === null) return null;
  const left = new Set(sources);
  const found: Spender[] = [];
  for (let height = fromHeight; height <= last.height && left.size > 0; height += 1) {
    signal.throwIfAborted();
    const block = await reader.headerAt(height, signal);
    const spends = block === null ? null : await spendsIn(reader, block, signal);
    if (block === null || spends === null) return null;
    for (const transaction of spends.transactionsFrom(left)) {
      found.push({ block, transaction });
      for (const claim of transaction.claims) left.delete(claim);
    }
  }
  const isSame = (await reader.headerByHash(lastHash, signal)) !== null;
  return left.size === 0 && isSame ? found : null;
}

async function spendsIn(
  { readBlock, readSpends }: Pick<ChainReader, "readBlock" | "readSpends">,
  block: BlockRef,
  signal: AbortSignal,
) {
  if (readSpends !== undefined) return await readSpends(block, signal);
  return (await readBlock(block, signal))?.spends ?? null;
}
