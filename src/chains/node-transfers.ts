import { isDeepStrictEqual } from "node:util";
import type { BlockRef, ChainReader, Transfer } from "./port.ts";

/** A node's own transfers in the block to the receivers of these; null if it lost the block, and empty without asking it for none. */
export async function transfersIn(
  { readBlock }: Pick<ChainReader, "readBlock">,
  block: BlockRef,
  transfers: readonly Transfer[],
  signal: AbortSignal,
): Promise<readonly Transfer[] | null> {
  if (transfers.length === 0) return [];
  const watched = new Set(transfers.map(({ to }) => to));
  const content = await readBlock(block, signal, (key) => watched.has(key));
  return content === null ? null : (content.byReceiver?.to(watched) ?? content.transfers);
}

/** A block's transfers by the text of their keys. */
export type TransfersByKey = ReadonlyMap<string, readonly Transfer[]>;

export function transfersByKey(transfers: readonly Transfer[]): TransfersByKey {
  return Map.groupBy(transfers, textOfKey);
}

/**
 * Whether the block has exactly this transfer under its key. One that was recorded before units were withheld names none, and all of its amount was
 * credited: of it the amount alone is compared.
 */
export function isSameTransfer(byKey: TransfersByKey, transfer: Transfer): boolean {
  const [shown, ...others] = byKey.get(textOfKey(transfer)) ?? [];
  if (shown === undefined || others.length > 0) return false;
  const { withheldUnits, ...rest } = shown;
  const isKnown = transfer.withheldUnits !== undefined && withheldUnits !== undefined;
  return isDeepStrictEqual(isKnown ? shown : rest, transfer);
}

export function textOfKey({ key }: Transfer): string {
  return `${key.txid}:${key.index}`;
}
