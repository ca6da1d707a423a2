import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { type BackupManifest, journalNames, manifestName, writeDurably } from "./backup-folder.ts";
import { finishedLength } from "./journal/torn-line.ts";
import { type Measure, measureStream, readChunks } from "./measure-stream.ts";

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

/** The first bytes of a file that was verified. */
type Source = Measure & { readonly path: string };

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
  const sources = new Map<string, Source>();
  for (const { name, bytes, sha256 } of manifest.files) {
    const source = await measureFile(join(path, name)).catch(() => null);
    if (source === null) throw new Error(`${path} is incomplete: ${name} is missing`);
    if (source.bytes !== bytes || source.sha256 !== sha256)
      throw new Error(`${path} is damaged: ${name} differs from ${manifestName}`);
    sources.set(name, source);
  }
  const journals: RestoredJournal[] = [];
  for (const name of journalNames) {
    const saved = sources.get(name) ?? null;
    const newest = await newestJournal(name, saved, copyFolder);
    if (newest === null) continue;
    sources.set(name, newest);
    const { lines } = newest;
    journals.push({ name, lines, linesOfCopy: lines - (saved?.lines ?? 0) });
  }
  return {
    createdAt: manifest.createdAt,
    journals,
    write: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const [name, source] of sources) await writeSource(folder, name, source);
    },
  };
}

/** Verifies it once more: since the plan, the command that restores the database has run. */
async function writeSource(folder: string, name: string, source: Source): Promise<void> {
  const chunks = readChunks(source.path, source.bytes);
  const written = await measureStream(chunks, (passing) => writeDurably(folder, name, passing));
  if (written.sha256 !== source.sha256)
    throw new Error(
      `${source.path} was altered during the restore: remove ${folder}, and restore again`,
    );
}

async function measureFile(path: string, bytes?: number): Promise<Source> {
  return { path, ...(await measureStream(readChunks(path, bytes))) };
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

/**
 * The longer of the two, of which one has to be the beginning of the other; null if there is none. A torn last line of the copy is
 * left out.
 */
async function newestJournal(
  name: string,
  saved: Source | null,
  copyFolder: string | null,
): Promise<Source | null> {
  const path = copyFolder === null ? null : join(copyFolder, name);
  if (path === null || !existsSync(path)) return saved;
  const copy = await measureFile(path, await finishedLength(readChunks(path)));
  if (saved === null) return copy.bytes > 0 ? copy : null;
  const [longer, shorter] = copy.bytes > saved.bytes ? [copy, saved] : [saved, copy];
  const beginning = await measureStream(readChunks(longer.path, shorter.bytes));
  if (beginning.sha256 !== shorter.sha256)
    throw new Error(
      `${path} does not continue ${name} of the backup: one of them belongs to another signer, or was altered`,
    );
  return longer;
}
