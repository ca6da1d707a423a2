import { type FileHandle, mkdir, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";

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
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "ledger.jsonl");
  const file = await open(path, "a", 0o600);
  const text = await readFile(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  const entries = whole
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Entry);
  return { entries, journal: journalIn(file) };
}

function journalIn(file: FileHandle): Journal {
  return {
    append: async (entries) => {
      await file.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      await file.datasync();
    },
    close: () => file.close(),
  };
}
