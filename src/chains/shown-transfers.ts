import type { Database } from "../platform/db/database.ts";
import { addSeconds, type Clock, type Instant } from "../platform/kernel/clock.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import type { NodeReader, ReportedBlock, SecondOpinion } from "./chain-adapter.ts";
import { addShown, readShown } from "./follow/shown-transfer.store.ts";
import { isSameTransfer, transfersByKey, transfersIn } from "./node-transfers.ts";
import type { Transfer } from "./port.ts";

/** What nodes showed of blocks while they had their state; empty on chains whose nodes forget nothing. */
export type ShownTransfers = {
  readonly read: (block: Pick<ReportedBlock, "hash">) => Promise<{
    readonly has: (node: string, transfer: Transfer) => boolean;
  }>;
  readonly add: (
    block: Pick<ReportedBlock, "height" | "hash">,
    node: string,
    transfers: readonly Transfer[],
  ) => Promise<void>;
};

export function createShownTransfers(
  db: Database,
  chain: string,
  readers: readonly NodeReader[],
): ShownTransfers {
  if (!doForget(readers))
    return { read: () => Promise.resolve({ has: () => false }), add: () => Promise.resolve() };
  return {
    read: async ({ hash }) => {
      const rows = await readShown(db, chain, hash);
      const known = new Set(rows.map(({ node, content }) => `${node} ${content}`));
      return { has: (node, transfer) => known.has(`${node} ${textOf(transfer)}`) };
    },
    add: (block, node, transfers) => addShown(db, chain, block, node, transfers.map(textOf)),
  };
}

/** How long a node that does not answer is left alone. */
const silentSeconds = 30;

/** Creates `SecondOpinion.rememberTransfers`. */
export function createRememberTransfers(
  clock: Clock,
  readers: readonly NodeReader[],
  shown: ShownTransfers,
): SecondOpinion["rememberTransfers"] {
  if (!doForget(readers)) return null;
  const silentUntil = new Map<string, Instant>();

  const ask = async (
    { node, reader }: NodeReader,
    block: ReportedBlock,
    transfers: readonly Transfer[],
    signal: AbortSignal,
  ): Promise<readonly Transfer[]> => {
    const until = silentUntil.get(node);
    if (until !== undefined && clock.now() < until) return [];
    try {
      const header = await reader.headerAt(block.height, signal);
      if (header?.hash !== block.hash) return [];
      const content = await transfersIn(reader, header, transfers, signal);
      const byKey = transfersByKey(content ?? []);
      return transfers.filter((transfer) => isSameTransfer(byKey, transfer));
    } catch (error) {
      if (signal.aborted || !(error instanceof Unavailable)) throw error;
      silentUntil.set(node, addSeconds(clock.now(), silentSeconds));
      return [];
    }
  };

  return async (block, transfers, signal) => {
    const before = await shown.read(block);
    let complete = 0;
    for (const reader of readers) {
      if (reader.node === block.readFrom) continue;
      const unseen = transfers.filter((transfer) => !before.has(reader.node, transfer));
      const found = unseen.length === 0 ? [] : await ask(reader, block, unseen, signal);
      await shown.add(block, reader.node, found);
      if (found.length === unseen.length) complete += 1;
    }
    return complete >= neededNodes(readers, block);
  };
}

function doForget(readers: readonly NodeReader[]): boolean {
  return readers.some(({ reader }) => reader.forgetsContent === true);
}

/** One other node; two if it is unknown which one the block came from. */
export function neededNodes(readers: readonly NodeReader[], { readFrom }: ReportedBlock): number {
  return readers.some(({ node }) => node === readFrom) ? 1 : 2;
}

/** Everything that makes two transfers the same. */
function textOf({ key, to, asset, spendableFromHeight, withheldUnits }: Transfer): string {
  const what =
    asset.kind === "currency"
      ? ["currency", asset.amount.currency, asset.amount.units.toString()]
      : [asset.kind, asset.locator, asset.units.toString()];
  const withheld = withheldUnits === undefined ? [] : [withheldUnits.toString()];
  return JSON.stringify([key.txid, key.index, to, ...what, spendableFromHeight, ...withheld]);
}
