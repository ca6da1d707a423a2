import { mkdir, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";

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
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "blocks.jsonl");
  const file = await open(path, "a", 0o600);
  const text = await readFile(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  const lines = whole.split("\n").filter((line) => line !== "");
  return {
    entries: lines.map((line) => JSON.parse(line) as Entry),
    journal: {
      append: (entry) => file.appendFile(`${JSON.stringify(entry)}\n`),
      close: () => file.close(),
    },
  };
}
