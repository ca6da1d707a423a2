import { openLineFile } from "../line-file.ts";

/** The events of a ledger in order; replaying them restores it. */
export type Entry =
  /** The faucet's secret, always the first. */
  | { readonly kind: "seed"; readonly seed: string }
  | { readonly kind: "block"; readonly header: string; readonly transactions: readonly string[] }
  | { readonly kind: "pending"; readonly raw: string; readonly time: number }
  | {
      readonly kind: "invalidate";
      readonly hash: string;
      /** What becomes of the dropped blocks' transactions: they wait for a block again, or are gone. */
      readonly transactions: "return" | "drop";
      /** Transactions that come before those that wait. */
      readonly include: readonly string[];
      readonly time: number;
    }
  | { readonly kind: "reconsider"; readonly hash: string; readonly time: number }
  /** The faucet has given out one more address. */
  | { readonly kind: "address" };

export type Journal = {
  /** Resolves once the entries are on the disk. */
  readonly append: (entries: readonly Entry[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens the journal in a folder and returns what it contains. The rest of an entry that was cut off is removed. */
export async function openJournal(
  folder: string,
): Promise<{ readonly entries: readonly Entry[]; readonly journal: Journal }> {
  const { lines, append, sync, close } = await openLineFile(folder, "ledger.jsonl");
  return {
    entries: lines.map((line) => JSON.parse(line) as Entry),
    journal: {
      append: async (entries) => {
        await append(entries.map((entry) => JSON.stringify(entry)));
        await sync();
      },
      close,
    },
  };
}
