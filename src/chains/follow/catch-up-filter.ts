import type { Executor } from "../../platform/db/database.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { BlockRef, ChainReader, MayBeWatched } from "../port.ts";
import { createFingerprintTable } from "./fingerprint-table.ts";
import { receivedUnder } from "./received-under.ts";
import { countIssued, issuedAfter } from "./watched-address.store.ts";

/** Filters out outputs of old blocks that pay none of our addresses, so that the database need not be asked. */
export type CatchUpFilter = {
  readonly mayBeWatched: MayBeWatched;
  /** Complete for blocks up to this height. */
  readonly upToHeight: number;
};

const pageSize = 20_000;

/**
 * Loads the addresses in use for catching up to `tip`, which was read before. Null when aborted.
 *
 * Why nothing is missed: an address is paid only after the transaction that issued it has committed (see `matchTransfers`). A
 * block on the node's chain when it reported `tip` contains payments made before then; every statement below begins after
 * that, so it sees the addresses of all of them, and addresses stay in use. A block read later at such a height is the same
 * block unless a reorg happened, and reorgs reach `reorgLimit` blocks at most: so the filter is used only that far below the
 * tip. Above, the database is asked.
 */
export async function loadCatchUpFilter(
  db: Executor,
  { keyspace, reader, addressing }: Pick<ChainAdapter, "keyspace" | "reader" | "addressing">,
  tip: BlockRef,
  signal: AbortSignal,
): Promise<CatchUpFilter | null> {
  const table = createFingerprintTable(await countIssued(db, keyspace));
  let afterWatchKey: string | null = "";
  while (afterWatchKey !== null) {
    if (signal.aborted) return null;
    const page: readonly { readonly watchKey: string }[] = await issuedAfter(
      db,
      keyspace,
      afterWatchKey,
      pageSize,
    );
    for (const { watchKey } of page) table.add(watchKey);
    afterWatchKey = page.at(-1)?.watchKey ?? null;
  }
  const isShared = (watchKey: string): boolean => receivedUnder(addressing, watchKey) !== null;
  return {
    mayBeWatched: Object.assign(
      (watchKey: string) => table.mayContain(watchKey) || isShared(watchKey),
      {
        any: (watchKeys: readonly string[]) =>
          table.mayContainAny(watchKeys) || watchKeys.some(isShared),
      },
    ),
    upToHeight: tip.height - reorgDepthMax(reader),
  };
}

/** How many blocks below the tip may still be replaced. */
export function reorgDepthMax({ finality }: ChainReader): number {
  return finality.kind === "probable" ? finality.reorgLimit : 0;
}
