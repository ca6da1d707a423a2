import { openLineFile } from "../line-file.ts";
import type { Settings } from "./settings.ts";

/** The events of a ledger in order; executing them again restores it. */
export type Entry =
  | {
      readonly kind: "ledger";
      readonly closeTime: number;
      /** Blobs in hexadecimal, in the order of their execution. */
      readonly transactions: readonly string[];
    }
  | { readonly kind: "settings"; readonly settings: Settings };

export type Journal = {
  /** Resolves when the operating system has the entry: a killed process loses nothing. */
  readonly append: (entry: Entry) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens the journal in a folder and returns what it contains. The rest of an entry that was cut off is removed. */
export async function openJournal(
  folder: string,
): Promise<{ readonly entries: readonly Entry[]; readonly journal: Journal }> {
  const { lines, append, close } = await openLineFile(folder, "ledger.jsonl");
  return {
    entries: lines.map(readEntry),
    journal: { append: (entry) => append([JSON.stringify(entry, printBigint)]), close },
  };
}

function printBigint(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function readEntry(line: string): Entry {
  const entry = JSON.parse(line) as Entry;
  if (entry.kind === "ledger") return entry;
  const { networkId, ...drops } = entry.settings;
  const amounts = Object.entries(drops).map(([name, units]) => [name, BigInt(String(units))]);
  return {
    kind: "settings",
    settings: { networkId, ...Object.fromEntries(amounts) } as Settings,
  };
}
