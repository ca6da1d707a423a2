import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Another running process holds the lock. */
export class AlreadyRunning extends Error {
  override readonly name = "AlreadyRunning";
  constructor(path: string) {
    super(`${holder(path)} is already using it (${path}); stop that process first`);
  }
}

export type ProcessLock = { readonly release: () => void };

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy */
const busy = 5;

/**
 * Locks the file at `path` for this process until the lock is released or the process ends in any way. Throws
 * `AlreadyRunning` while another process, or this one, holds it.
 *
 * Uses the operating system's lock of an empty SQLite file: Node has no file locks, and a file that contains its holder's
 * pid cannot be taken over from a dead process without a race.
 */
export function takeProcessLock(path: string): ProcessLock {
  const file = new DatabaseSync(path);
  try {
    file.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode === busy) throw new AlreadyRunning(path);
    throw error;
  }
  writeFileSync(`${path}.pid`, `${process.pid}\n`);
  const release = (): void => {
    process.off("exit", release);
    if (file.isOpen) file.close();
  };
  // Also keeps the file from being garbage-collected, and so closed, while the lock is held.
  process.on("exit", release);
  return { release };
}

function holder(path: string): string {
  try {
    return `process ${readFileSync(`${path}.pid`, "utf8").trim()}`;
  } catch {
    return "another process";
  }
}
