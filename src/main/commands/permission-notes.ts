import { stat } from "node:fs/promises";

/** A warning about a file with secrets that other users of the machine can read; empty when none can. */
export async function permissionNotes(file: string): Promise<readonly string[]> {
  const found = await stat(file);
  const isOpen = found.isFile() && (found.mode & 0o077) !== 0;
  return isOpen ? [`${file} can be read by other users: chmod 600 it`] : [];
}
