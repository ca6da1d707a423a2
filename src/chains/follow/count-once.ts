import type { Executor } from "../../platform/db/database.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { BlockRef, Transfer } from "../port.ts";
import { claimKeys, type KeyedOutput, ownersOfKeys } from "./one-time-key.store.ts";

type Received = { readonly transfer: Transfer };

/** Outputs of a block that pay us: deposits, and our own addresses. */
export type ReceivedOutputs<Hit extends Received, Arrival extends Received> = {
  readonly hits: readonly Hit[];
  readonly arrivals: readonly Arrival[];
};

/**
 * Leaves out outputs whose one-time key an earlier output has, in this block or in any before it: only one of them can ever be spent. Runs
 * in the block's transaction, and `releaseKeys` in the one that takes the block back. Asks nothing on chains without such keys.
 */
export async function countOnce<Hit extends Received, Arrival extends Received>(
  tx: Executor,
  { chain, logger }: { readonly chain: string; readonly logger: Logger },
  { height }: Pick<BlockRef, "height">,
  { arrivals, hits }: ReceivedOutputs<Hit, Arrival>,
): Promise<ReceivedOutputs<Hit, Arrival>> {
  const keyed = keyedAmong([...hits, ...arrivals]);
  if (keyed.length === 0) return { hits, arrivals };
  await claimKeys(tx, chain, height, keyed);
  const owners = await ownersOfKeys(tx, chain, keysOf(keyed));
  for (const output of keyed) {
    const owner = owners.get(output.key);
    if (owner === undefined || isSame(owner, output)) continue;
    const { index, key, txid } = output;
    logger.warn("output does not count: an earlier one has its one-time key", {
      chain,
      height,
      txid,
      index,
      key,
      earlier: `${owner.txid}:${owner.index}`,
    });
  }
  const counts = ownsItsKey(owners);
  return { hits: hits.filter(counts), arrivals: arrivals.filter(counts) };
}

/** Of pending outputs, those whose one-time key no output in a block has, and no pending one before them. */
export async function countPendingOnce<Hit extends Received>(
  db: Executor,
  chain: string,
  hits: readonly Hit[],
): Promise<readonly Hit[]> {
  const keyed = keyedAmong(hits);
  if (keyed.length === 0) return hits;
  const first = new Map<string, KeyedOutput>();
  for (const output of keyed) if (!first.has(output.key)) first.set(output.key, output);
  const inBlocks = await ownersOfKeys(db, chain, keysOf(keyed));
  return hits.filter(ownsItsKey(new Map([...first, ...inBlocks])));
}

function keyedAmong(received: readonly Received[]): readonly KeyedOutput[] {
  return received.flatMap(({ transfer: { key, oneTimeKey } }) =>
    oneTimeKey === undefined ? [] : [{ ...key, key: oneTimeKey }],
  );
}

function keysOf(outputs: readonly KeyedOutput[]): readonly string[] {
  return [...new Set(outputs.map(({ key }) => key))];
}

function ownsItsKey(owners: ReadonlyMap<string, KeyedOutput>): (received: Received) => boolean {
  return ({ transfer: { key, oneTimeKey } }) => {
    if (oneTimeKey === undefined) return true;
    const owner = owners.get(oneTimeKey);
    return owner === undefined || isSame(owner, { ...key, key: oneTimeKey });
  };
}

function isSame(one: KeyedOutput, other: KeyedOutput): boolean {
  return one.txid === other.txid && one.index === other.index;
}
