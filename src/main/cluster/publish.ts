import type { Clock } from "../../platform/kernel/clock.ts";
import {
  type ClusterFile,
  type ClusterLink,
  type ClusterProcess,
  writeClusterFile,
} from "../../sandbox/cluster-file.ts";
import type { SandboxFile } from "../../sandbox/sandbox-file.ts";
import { loopback, type ObservedProcess } from "./cluster-site.ts";
import type { Link } from "./links.ts";

const lookEveryMs = 250;

/**
 * Writes `cluster.json` and, until `signal` aborts, again whenever a pid or a role has changed. A process that does not run is absent.
 * `first` resolves with what was written first.
 */
export function publishCluster(
  options: {
    readonly home: string;
    readonly sandbox: SandboxFile;
    readonly observe: () => Promise<readonly ObservedProcess[]>;
    readonly links: () => readonly Link[];
    readonly clock: Clock;
  },
  signal: AbortSignal,
): { readonly first: Promise<ClusterFile>; readonly ended: Promise<void> } {
  const { home, sandbox, observe, links, clock } = options;
  let written = "";
  const look = async (): Promise<ClusterFile> => {
    const observed = await observe();
    const processes = observed.filter(isRunning);
    const content = { ...sandbox, processes, links: describeLinks(links(), observed) };
    const text = JSON.stringify(content);
    if (text !== written && !signal.aborted) await writeClusterFile(home, content);
    written = text;
    return content;
  };
  const first = look();
  const keep = async (): Promise<void> => {
    await first;
    while (!signal.aborted) {
      await clock.sleep(lookEveryMs, signal);
      await look();
    }
  };
  return { first, ended: keep() };
}

function isRunning(observed: ObservedProcess): observed is ClusterProcess {
  return observed.pid !== null;
}

/** A process whose role can change is named by its role. */
function describeLinks(
  links: readonly Link[],
  processes: readonly ObservedProcess[],
): readonly ClusterLink[] {
  const roles = new Map(
    processes
      .filter(({ role }) => role.startsWith("signer-") || role.startsWith("postgres-"))
      .map(({ name, role }) => [name, role] as const),
  );
  return links.map(({ from, to, port, controlUrl }) => ({
    from: roles.get(from) ?? from,
    to: roles.get(to) ?? to,
    from_name: from,
    to_name: to,
    address: loopback(port),
    control_url: controlUrl,
  }));
}
