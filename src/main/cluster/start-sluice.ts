import { join } from "node:path";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import type { Config } from "../config/config.ts";
import type { ClusterSite } from "./cluster-site.ts";
import type { KeptProgram } from "./keep-program.ts";

const cli = join(import.meta.dirname, "../cli.ts");

/** Where a cluster keeps what it writes, below `SLUICE_HOME`. */
export function clusterFolder(home: string): string {
  return join(home, "cluster");
}

/** The configuration file of a process that `startSluice` started. */
export function configPathOf(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

/** Starts `sluice COMMAND` with a configuration of its own, as on a host of its own. */
export async function startSluice(
  { folder, keeper }: ClusterSite,
  config: Config,
  command: "api" | "worker" | "signer",
  name: string,
): Promise<KeptProgram> {
  const file = configPathOf(folder, name);
  await writeAtomically(file, `${JSON.stringify(config, null, 2)}\n`);
  return keeper.start({
    name,
    program: process.execPath,
    end: "orderly",
    args: [cli, command, "--config", file],
    // Where compiled code is kept, and where the wallet programs of some chains are found.
    env: {
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
      HOME: process.env["HOME"] ?? "/",
      XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] ?? "",
    },
  });
}
