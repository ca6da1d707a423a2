import { writeFileSync } from "node:fs";
import { mkdir, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";

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
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "blocks.jsonl");
  const file = await open(path, "a", 0o600);
  const text = await readFile(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  const written = whole.split("\n").filter((line) => line !== "");
  return {
    entries: written.map((line) => JSON.parse(line) as Entry),
    journal: {
      append: (entries) => {
        const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
        writeFileSync(file.fd, lines.join(""));
      },
      close: () => file.close(),
    },
  };
}
