import { type FileHandle, mkdir, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
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
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "ledger.jsonl");
  const file = await open(path, "a", 0o600);
  const text = await readFile(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  const entries = whole
    .split("\n")
    .filter((line) => line !== "")
    .map(readEntry);
  return { entries, journal: journalIn(file) };
}

function journalIn(file: FileHandle): Journal {
  return {
    append: async (entry) => {
      await file.appendFile(`${JSON.stringify(entry, printBigint)}\n`);
    },
    close: () => file.close(),
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
