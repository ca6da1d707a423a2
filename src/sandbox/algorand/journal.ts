import { openLineFile } from "../line-file.ts";

/** What a block was made of; executing it again restores the block. */
export type Entry = {
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Signed transactions in base64, by group, in the order of their execution. */
  readonly groups: readonly (readonly string[])[];
};

export type Journal = {
  /** Resolves when the operating system has the entry: a killed process loses nothing. */
  readonly append: (entry: Entry) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens the file of blocks in a folder and returns what it contains. The rest of an entry that was cut off is removed. */
export async function openJournal(
  folder: string,
): Promise<{ readonly entries: readonly Entry[]; readonly journal: Journal }> {
  const { lines, append, close } = await openLineFile(folder, "blocks.jsonl");
  return {
    entries: lines.map((line) => JSON.parse(line) as Entry),
    journal: { append: (entry) => append([JSON.stringify(entry)]), close },
  };
}
