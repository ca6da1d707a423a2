import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Instant } from "../platform/kernel/clock.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import { syncFolder, writeAtomically } from "../platform/processes/write-atomically.ts";
import { type Measure, measureStream, readChunks, wholeLines } from "./measure-stream.ts";

/** A file of a backup, by its path in the signer's folder. */
export type BackedUpFile = { readonly name: string } & Pick<Measure, "bytes" | "sha256">;

/** What `manifest.json` of a backup says. */
export type BackupManifest = {
  readonly format: "sluice signer backup 1";
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  readonly files: readonly BackedUpFile[];
};

/** A backup that was made. */
export type FolderBackup = {
  readonly path: string;
  readonly manifest: BackupManifest;
  /** By file name, how many lines follow the first one. */
  readonly lines: ReadonlyMap<string, number>;
};

export const manifestName = "manifest.json";

/** The journals, of which a copy may be newer than a backup. */
export const journalNames: readonly string[] = ["spends.journal", "issued.journal"];

/** A log that names a signature which its journal lacks is refused at start, so the log is copied before the journals. */
const first: readonly string[] = ["audit.log", ...journalNames];
/** A newer mark only makes a restored database look older; an older one would hide what was issued since. */
const last: readonly string[] = ["database.mark"];
const growing: readonly string[] = first;

/**
 * The lock and the socket belong to a process, drafts to a write that did not finish, and wallets are made again. Without the token
 * a restored folder is known to be one.
 */
const left = /^(?:pair\.token|lock(?:\.pid|-journal)?|.*\.sock|.*\.new|wallet-.*)$/;

/**
 * Copies the signer's folder, while the signer runs, into a new folder of `target` named after the time. Resolves once
 * everything is on the disk; a backup that was interrupted never has that name.
 */
export async function backUpFolder(
  folder: string,
  target: string,
  now: Instant,
): Promise<FolderBackup> {
  if (!existsSync(join(folder, "keystore.json")))
    throw new Error(`${folder} has no keystore.json: it is no signer's folder`);
  await mkdir(target, { recursive: true, mode: 0o700 });
  const createdAt = formatTimestamp(now);
  const path = join(target, createdAt.replaceAll(/[-:]|\.\d+/g, ""));
  if (existsSync(path)) throw new Error(`${path} exists: a backup was made in the same second`);
  const draft = `${path}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  try {
    const files: BackedUpFile[] = [];
    const linesOf = new Map<string, number>();
    for (const name of await namesInOrder(folder)) {
      const { bytes, sha256, lines } = await copyFile(name, folder, draft);
      files.push({ name, bytes, sha256 });
      linesOf.set(name, lines);
    }
    const manifest: BackupManifest = { format: "sluice signer backup 1", createdAt, files };
    await writeAtomically(join(draft, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(draft, path);
    await syncFolder(target);
    return { path, manifest, lines: linesOf };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Creates the file, and the folders above it below `folder`, durably. Mode 0600. */
export async function writeDurably(
  folder: string,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}

async function namesInOrder(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !name.split("/").some((part) => left.test(part)))
    .sort();
  const among = (some: readonly string[]) => some.filter((name) => names.includes(name));
  const others = names.filter((name) => !first.includes(name) && !last.includes(name));
  return [...among(first), ...others, ...among(last)];
}

function copyFile(name: string, from: string, to: string): Promise<Measure> {
  const read = readChunks(join(from, name));
  // What follows the last line break is a line that is being written: nothing was acknowledged with it.
  const content = growing.includes(name) ? wholeLines(read) : read;
  return measureStream(content, (passing) => writeDurably(to, name, passing));
}
