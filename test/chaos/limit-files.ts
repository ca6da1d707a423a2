import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * From now on these processes can write no file beyond that many bytes (RLIMIT_FSIZE, setrlimit(2)): writes end early and then fail, as on a
 * full disk, but with EFBIG. Processes that they start inherit it. Null lifts the limit. Processes that have ended are skipped.
 */
export async function limitFiles(pids: readonly number[], bytes: number | null): Promise<void> {
  const limit = `--fsize=${bytes ?? "unlimited"}:unlimited`;
  const each = 'limit="$1"; shift; for pid; do prlimit --pid "$pid" "$limit" || true; done';
  await run("/bin/sh", ["-c", each, "sh", limit, ...pids.map(String)]);
}

/** Whether this machine has `prlimit`. */
export async function canLimitFiles(): Promise<boolean> {
  return await run("prlimit", ["--version"]).then(
    () => true,
    () => false,
  );
}
