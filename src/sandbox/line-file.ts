import { writeFileSync } from "node:fs";
import { mkdir, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";

/** A file of lines, from which a simulated ledger is restored. A line that was appended survives a killed process. */
export type LineFile = {
  /** What the file contained when it was opened. */
  readonly lines: readonly string[];
  /** Resolves when the operating system has the lines. */
  readonly append: (lines: readonly string[]) => Promise<void>;
  /** Returns when the operating system has the lines. */
  readonly appendSync: (lines: readonly string[]) => void;
  /** Resolves when the disk has them too. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens or creates the file, and removes the rest of a line that was cut off. */
export async function openLineFile(folder: string, name: string): Promise<LineFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const file = await open(path, "a", 0o600);
  const text = await readFile(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  return {
    lines: whole.split("\n").filter((line) => line !== ""),
    append: (lines) => file.appendFile(textOf(lines)),
    appendSync: (lines) => {
      writeFileSync(file.fd, textOf(lines));
    },
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
