import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Rejects if a process that still runs kept its limit. */
const limitEach =
  'limit="$1"; shift; for pid; do prlimit --pid "$pid" "$limit" || [ ! -e "/proc/$pid" ] || exit 1; done';

/**
 * From now on these processes of one user can write no file beyond that many bytes (RLIMIT_FSIZE, setrlimit(2)): writes end early and
 * then fail, as on a full disk, but with EFBIG. Processes that they start inherit it. Null lifts the limit. Processes that have ended
 * are skipped.
 */
export async function limitFiles(pids: readonly number[], bytes: number | null): Promise<void> {
  const limit = `--fsize=${bytes ?? "unlimited"}:unlimited`;
  const owners = await Promise.all(pids.map((pid) => stat(`/proc/${pid}`).catch(() => null)));
  const owner = owners.find((found) => found !== null);
  if (owner === undefined) return;
  // The root of a container may not change limits of other users.
  const user = owner.uid === process.getuid?.() ? {} : { uid: owner.uid, gid: owner.gid };
  await run("/bin/sh", ["-c", limitEach, "sh", limit, ...pids.map(String)], {
    cwd: "/",
    ...user,
  });
}

/** Whether this machine has `prlimit`. */
export async function canLimitFiles(): Promise<boolean> {
  return await run("prlimit", ["--version"]).then(
    () => true,
    () => false,
  );
}
