import { randomUUID } from "node:crypto";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Replaces a file atomically: readers find either the whole old or the whole new content, even after a power failure. Writes
 * a new file, syncs it, renames it and syncs the folder.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes a folder's entries durable. Otherwise a created or renamed file may be lost in a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Like `writeAtomically`, but rejects with `EEXIST` if the file exists. Mode 0600. */
export async function createAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}.new`;
  try {
    await writeAtomically(draft, content);
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
}
