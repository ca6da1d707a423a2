import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { programsFolder } from "../../src/main/cluster/find-programs.ts";

/** A program on PATH, or where `scripts/setup.js` stores it for tests or for the cluster; null if it is missing. */
export function findFetchedProgram(name: string): string | null {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    join(cache, "sluice/nodes", name),
    join(programsFolder(process.env, process.getuid?.() === 0), name),
  ];
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
