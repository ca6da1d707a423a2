import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import {
  type BackupManifest,
  countLines,
  journalNames,
  manifestName,
  sha256,
  writeDurably,
} from "./backup-folder.ts";

/** The files of a verified backup, to be written into an empty folder. */
export type FolderRestore = {
  readonly createdAt: string;
  readonly journals: readonly RestoredJournal[];
  readonly write: () => Promise<void>;
};

export type RestoredJournal = {
  readonly name: string;
  readonly lines: number;
  /** How many of the lines only the copy has. */
  readonly linesOfCopy: number;
};

/**
 * Verifies the backup in `path` and plans its restore into `folder`, which must be missing or empty. A journal in `copyFolder`
 * that continues the backup's takes its place. Writes nothing; rejects with an error that names the first fault.
 */
export async function planRestore(
  path: string,
  folder: string,
  copyFolder: string | null,
): Promise<FolderRestore> {
  const manifest = await readManifest(path);
  const existing = existsSync(folder) ? await readdir(folder) : [];
  if (existing.length > 0)
    throw new Error(
      `${folder} is not empty (${existing.slice(0, 3).join(", ")}): stop the signer and move the folder away first`,
    );
  const contents = new Map<string, Buffer>();
  for (const file of manifest.files) {
    const content = await readFile(join(path, file.name)).catch(() => null);
    if (content === null) throw new Error(`${path} is incomplete: ${file.name} is missing`);
    if (content.length !== file.bytes || sha256(content) !== file.sha256)
      throw new Error(`${path} is damaged: ${file.name} differs from ${manifestName}`);
    contents.set(file.name, content);
  }
  const journals: RestoredJournal[] = [];
  for (const name of journalNames) {
    const saved = contents.get(name) ?? null;
    const newest = await newestJournal(name, saved, copyFolder);
    if (newest === null) continue;
    contents.set(name, newest);
    const lines = countLines(newest);
    journals.push({ name, lines, linesOfCopy: lines - (saved === null ? 0 : countLines(saved)) });
  }
  return {
    createdAt: manifest.createdAt,
    journals,
    write: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const [name, content] of contents) await writeDurably(folder, name, content);
    },
  };
}

async function readManifest(path: string): Promise<BackupManifest> {
  const text = await readFile(join(path, manifestName), "utf8").catch(() => null);
  if (text === null)
    throw new Error(`${path} has no ${manifestName}: name the folder of one backup`);
  const manifest = JSON.parse(text) as BackupManifest;
  const isKnown =
    (manifest.format as string) === "sluice signer backup 1" && Array.isArray(manifest.files);
  // A name that leads out of the folder would overwrite something else.
  const isWithin = ({ name }: { readonly name: string }): boolean =>
    normalize(name) === name && !name.startsWith("/") && !name.startsWith("..");
  if (!isKnown || !manifest.files.every(isWithin))
    throw new Error(`${join(path, manifestName)} is not the manifest of a signer's backup`);
  return manifest;
}

/** The longer of the two, of which one has to be the beginning of the other; null if there is none. */
async function newestJournal(
  name: string,
  saved: Buffer | null,
  copyFolder: string | null,
): Promise<Buffer | null> {
  const path = copyFolder === null ? null : join(copyFolder, name);
  if (path === null || !existsSync(path)) return saved;
  const copy = await readFile(path);
  if (saved === null) return copy;
  const [longer, shorter] = copy.length > saved.length ? [copy, saved] : [saved, copy];
  if (!longer.subarray(0, shorter.length).equals(shorter))
    throw new Error(
      `${path} does not continue ${name} of the backup: one of them belongs to another signer, or was altered`,
    );
  return longer;
}
