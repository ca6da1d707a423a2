import { randomUUID } from "node:crypto";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Replaces a file so that a reader, also one after a power failure, finds either all of the old content or all of the
 * new: written beside it, synced, renamed over it, and the folder synced. Mode 0600 unless told otherwise.
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

/** Makes a folder's entries durable: without it a created or renamed file may be gone after a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** As `writeAtomically`, but rejects with the system's `EEXIST` when the file is there already. Mode 0600. */
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
