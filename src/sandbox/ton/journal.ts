import { openLineFile } from "../line-file.ts";
import type { Prices } from "./network.ts";

/** One masterchain block with everything in it; number 0 is the state before the first one. Cells are bags in base64. */
export type Entry = {
  readonly seqno: number;
  readonly now: number;
  /** By how many seconds the ledger's time is ahead of the clock. */
  readonly ahead: number;
  /** The prices from this block on, where they changed before it. */
  readonly prices?: Prices;
  /** The transactions of each block of the basechain: one list of blocks, a block for each shard, after the other. */
  readonly rounds: readonly (readonly (readonly string[])[])[];
  readonly masterchain: readonly string[];
  /** The state of every account that changed, by its raw address. */
  readonly states: Readonly<Record<string, string>>;
};

export type Journal = {
  /** Resolves when the operating system has the block: a killed process loses nothing. */
  readonly append: (entry: Entry) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens the file of blocks in a folder, one a line. The rest of a line that was cut off is removed. */
export async function openJournal(
  folder: string,
): Promise<{ readonly entries: readonly Entry[]; readonly journal: Journal }> {
  const { lines, append, close } = await openLineFile(folder, "blocks.jsonl");
  return {
    entries: lines.map((line) => JSON.parse(line) as Entry),
    journal: { append: (entry) => append([JSON.stringify(entry)]), close },
  };
}
