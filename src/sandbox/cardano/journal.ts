import { openLineFile } from "../line-file.ts";

/** The events of a chain in order; repeating them restores it. */
export type Entry =
  /** Always the first: the time of slot 0, in seconds since 1970. */
  | { readonly kind: "start"; readonly startTime: number }
  | {
      readonly kind: "block";
      readonly slot: number;
      readonly salt: string;
      /** Transactions in hex. */
      readonly transactions: readonly string[];
    }
  /** So many blocks left the chain. */
  | { readonly kind: "rollback"; readonly depth: number };

export type Journal = {
  /** Returns when the operating system has the entries, so that nobody sees what a killed process would lose. */
  readonly append: (entries: readonly Entry[]) => void;
  readonly close: () => Promise<void>;
};

/** Opens the file of blocks in a folder and returns what it contains. The rest of an entry that was cut off is removed. */
export async function openJournal(
  folder: string,
): Promise<{ readonly entries: readonly Entry[]; readonly journal: Journal }> {
  const { lines, appendSync, close } = await openLineFile(folder, "blocks.jsonl");
  return {
    entries: lines.map((line) => JSON.parse(line) as Entry),
    journal: {
      append: (entries) => {
        appendSync(entries.map((entry) => JSON.stringify(entry)));
      },
      close,
    },
  };
}
