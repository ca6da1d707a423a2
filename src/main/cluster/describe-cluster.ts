import { join } from "node:path";
import type { ClusterProcess, ClusterRole } from "../../sandbox/cluster-file.ts";
import { sandboxConfigPath } from "../../sandbox/sandbox-file.ts";
import type { Cluster } from "./start-cluster.ts";
import { clusterFolder, configPathOf } from "./start-sluice.ts";

const configured: ReadonlySet<ClusterRole> = new Set([
  "api",
  "worker",
  "signer-active",
  "signer-standby",
]);

/** What `sluice cluster` prints when everything is ready: processes, configuration files, addresses and credentials of the trial. */
export function describeCluster(
  { file, missing }: Pick<Cluster, "file" | "missing">,
  home: string,
): readonly string[] {
  const columns = (...texts: readonly string[]): string =>
    texts.map((text, index) => text.padEnd([16, 18, 8][index] ?? 0)).join("");
  return [
    "",
    columns("PROCESS", "ROLE", "PID", "ADDRESS"),
    ...file.processes.map(({ name, role, pid, address }) =>
      columns(name, role, String(pid), address),
    ),
    "",
    "Configuration files, for `npx sluice ... --config FILE`:",
    ...configFiles(file.processes, home).map(([name, path]) => columns(`  ${name}`, path)),
    "",
    `Dashboard     ${file.base_url}/ui/`,
    `  Login       ${file.dashboard.login}`,
    `  Password    ${file.dashboard.password}`,
    `API           ${file.base_url}/   (reference: ${file.base_url}/docs)`,
    `  Login       ${file.login}`,
    `  Password    ${file.password}`,
    `Emails        ${file.mail_url}   (all that the cluster sends, as JSON)`,
    "",
    ...Object.entries(file.chains).map(
      ([chain, site]) =>
        `${chain.padEnd(14)}${site.rpc_url}${"simulated" in site ? " (simulated)" : ""}`,
    ),
    ...missing.map(({ chain, reason }) => `${chain.padEnd(14)}not started: ${reason}`),
    "",
    `Kill any of these processes, or cut the connection between two of them: see links in ${join(home, "cluster.json")}.`,
    "",
    "Ready. Ctrl-C stops it and deletes its data.",
  ];
}

/** The file of each process that has one, and the one that commands without `--config` use. */
function configFiles(
  processes: readonly ClusterProcess[],
  home: string,
): readonly (readonly [string, string])[] {
  const folder = clusterFolder(home);
  return [
    ...processes
      .filter(({ role }) => configured.has(role))
      .map(({ name }) => [name, configPathOf(folder, name)] as const),
    ["commands", sandboxConfigPath(home)],
  ];
}
