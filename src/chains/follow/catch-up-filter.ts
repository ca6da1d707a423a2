import type { Executor } from "../../platform/db/database.ts";
import type { BlockRef, ChainReader } from "../port.ts";
import { createFingerprintTable, type FingerprintTable } from "./fingerprint-table.ts";
import { countIssued, issuedAfter } from "./watched-address.store.ts";

/** Spares the database the outputs of old blocks that pay none of our addresses. */
export type CatchUpFilter = {
  readonly mayBeWatched: FingerprintTable["mayContain"];
  /** For blocks up to here no address that they may pay is missing from the filter. */
  readonly upToHeight: number;
};

const pageSize = 20_000;

/**
 * Loads the addresses in use for catching up to `tip`, which was asked of the node before. Null when aborted.
 *
 * Why nothing is missed: an address is paid only after the transaction that issued it has committed (see `findHits`). A
 * block that was on the node's chain when it gave us `tip` holds payments made before that; every statement below
 * begins after it, so it sees the addresses of all of them, and an address in use stays in use. A block read later at
 * such a height is that very block unless a re-org came in between, and re-orgs reach `reorgLimit` blocks deep at most:
 * hence the heights it vouches for end that far below the tip. Above them the database is asked.
 */
export async function loadCatchUpFilter(
  db: Executor,
  { keyspace, reader }: { readonly keyspace: string; readonly reader: ChainReader },
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
  return { mayBeWatched: table.mayContain, upToHeight: tip.height - reorgDepthMax(reader) };
}

/** How far below a tip its blocks may still be replaced. */
export function reorgDepthMax({ finality }: ChainReader): number {
  return finality.kind === "probable" ? finality.reorgLimit : 0;
}
