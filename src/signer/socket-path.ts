import { createHash } from "node:crypto";
import { chmod, lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** `sun_path` of unix(7) has 108 bytes on Linux and 104 elsewhere, including the terminator. */
const pathLengthMax = 103;

/**
 * Where the signer of `folder` listens: in the folder, or, if that path is too long for a socket, in a folder of the temporary
 * directory with a name derived from it. Signer and clients find the same place independently.
 */
export function signerSocketPath(folder: string): string {
  const path = join(resolve(folder), "signer.sock");
  if (Buffer.byteLength(path) <= pathLengthMax) return path;
  const name = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(tmpdir(), `sluice-${process.getuid?.() ?? 0}-${name}`, "signer.sock");
}

/** Creates the socket's folder with mode 0700. Rejects one that another user owns or may enter, since it may be a trap. */
export async function prepareSocketFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
  if (!isOurs) throw new Error(`${folder} is not a folder of this user`);
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}
