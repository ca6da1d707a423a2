import { execFile } from "node:child_process";
import { type FileHandle, mkdir, open, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { startSupervised } from "../../src/platform/processes/supervised-process.ts";

/** A file system of its own with little space. */
export type SmallDisk = {
  /** Fills it up to so many bytes, in whole pages; resolves with what frees it again. */
  readonly fill: (bytesLeft: number) => Promise<() => Promise<void>>;
  /** Removes it, and leaves its files in its place. */
  readonly close: () => Promise<void>;
};

/** What the file system gives out at once. */
export const pageBytes = 4_096;

const run = promisify(execFile);
const stopPatienceMs = 10_000;
const fillerName = "filler";

/**
 * Mounts a tmpfs and removes it at the end. It also ends when the process that started it does, so that nothing stays mounted.
 */
const holder = `
mount -t tmpfs -o "size=$1,mode=$2" sluice-chaos "$3" || exit 1
echo "mounted here"
tail -f /dev/null &
trap 'kill $!; umount -l "$3"; exit 0' TERM
wait
`;

/**
 * Makes a disk of that size at `path`, where nothing is yet; `mode` of its folder in octal digits. Root mounts it there. Anyone else mounts it in a
 * namespace of its own, where the kernel allows that, and `path` leads into it. Resolves with null where neither can be done.
 */
export async function mountSmallDisk(
  path: string,
  { bytes, mode }: { readonly bytes: number; readonly mode: string },
): Promise<SmallDisk | null> {
  if (process.platform !== "linux") return null;
  const isRoot = process.getuid?.() === 0;
  const place = isRoot ? path : `${path}.disk`;
  await mkdir(place, { recursive: true, mode: 0o700 });
  const command = ["/bin/sh", "-c", holder, "sh", String(bytes), mode, place];
  const mounted = isRoot
    ? startSupervised("/usr/bin/env", command, {})
    : startSupervised("unshare", ["--user", "--map-root-user", "--mount", ...command], {});
  try {
    await mounted.printed(/mounted (here)/);
  } catch {
    await mounted.ended;
    await rm(place, { recursive: true });
    return null;
  }
  if (!isRoot) await symlink(`/proc/${mounted.programPid()}/root${place}`, path);
  return {
    fill: (bytesLeft) => fill(join(path, fillerName), bytesLeft),
    close: async () => {
      const kept = `${path}.kept`;
      // The folder itself may be a link.
      await run("cp", ["-a", `${path}/.`, kept]);
      await mounted.end(systemClock, stopPatienceMs);
      await rm(path, { recursive: true, force: true });
      if (!isRoot) await rm(place, { recursive: true, force: true });
      await rename(kept, path);
    },
  };
}

/** Whether this machine can make such a disk; tried in `folder`. */
export async function canMount(folder: string): Promise<boolean> {
  const path = join(folder, "tried");
  const disk = await mountSmallDisk(path, { bytes: 16 * pageBytes, mode: "700" });
  await disk?.close();
  await rm(path, { recursive: true, force: true });
  return disk !== null;
}

const chunk = Buffer.alloc(1024 * 1024);

async function fill(path: string, bytesLeft: number): Promise<() => Promise<void>> {
  const file = await open(path, "w");
  try {
    let size = 0;
    for (let next = chunk.length; next >= pageBytes; ) {
      const written = await writeSome(file, next, size);
      size += written;
      if (written < next) next /= 2;
    }
    await file.truncate(Math.max(0, size - bytesLeft));
  } finally {
    await file.close();
  }
  return () => rm(path, { force: true });
}

/** How many of the bytes there was space for. */
async function writeSome(file: FileHandle, bytes: number, position: number): Promise<number> {
  try {
    return (await file.write(chunk, 0, bytes, position)).bytesWritten;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") return 0;
    throw error;
  }
}
