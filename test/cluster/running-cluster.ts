import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { getJson } from "../../src/main/cluster/ask-json.ts";
import type { Teardown } from "../../src/main/processes/teardown.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { startSupervised } from "../../src/platform/processes/supervised-process.ts";
import type { ClusterFile, ClusterLink, ClusterProcess } from "../../src/sandbox/cluster-file.ts";
import { clusterFilePath, sandboxConfigPath } from "../../src/sandbox/sandbox-file.ts";

const cli = join(import.meta.dirname, "../../src/main/cli.ts");
const stopPatienceMs = 60_000;
const pollMs = 100;

/** What Patroni says about its server. */
export type ServerState = {
  readonly name: string;
  readonly role: string | null;
  readonly timeline: number;
  /** Whether a commit may wait for it: false for a replica that has only just caught up. */
  readonly isInQuorum: boolean;
};

/** A cluster that runs as `npm run cluster` starts it, seen through its file alone. */
export type RunningCluster = {
  readonly first: ClusterFile;
  readonly databaseUrl: string;
  readonly logFolder: string;
  /** As published now. */
  readonly read: () => Promise<ClusterFile>;
  readonly servers: () => Promise<readonly ServerState[]>;
  /**
   * Resolves when every process runs, a commit on the one primary waits for either of two replicas, and a signer is active; rejects after
   * `patienceMs`. Before that, the next fault would be a second one at the same time, which stops commits.
   */
  readonly untilWhole: (patienceMs: number, signal: AbortSignal) => Promise<void>;
};

/** Starts the command in `home` with that chain; `teardown` stops it. */
export async function runCluster(
  home: string,
  port: number,
  chains: string,
  teardown: Teardown,
): Promise<RunningCluster> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const program = startSupervised(process.execPath, [cli, "cluster"], {
    HOME: process.env["HOME"] ?? "/",
    XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] ?? "",
    SLUICE_HOME: home,
    SLUICE_PORT: String(port),
    SLUICE_CHAINS: chains,
  });
  teardown.add("cluster", () => program.end(systemClock, stopPatienceMs));
  await program.printed(/^(Ready)\./m);
  const read = async (): Promise<ClusterFile> =>
    JSON.parse(await readFile(clusterFilePath(home), "utf8")) as ClusterFile;
  const first = await read();
  const config = JSON.parse(await readFile(sandboxConfigPath(home), "utf8")) as {
    readonly database: { readonly url: string };
  };
  const servers = (): Promise<readonly ServerState[]> => readServers(first);
  return {
    first,
    databaseUrl: config.database.url,
    logFolder: join(home, "cluster-logs"),
    read,
    servers,
    untilWhole: async (patienceMs, signal) => {
      const giveUpMs = performance.now() + patienceMs;
      for (let missing = await lacks(first, read, servers); missing !== ""; ) {
        if (performance.now() > giveUpMs) throw new Error(`not whole again: ${missing}`);
        await systemClock.sleep(pollMs, signal);
        signal.throwIfAborted();
        missing = await lacks(first, read, servers);
      }
    },
  };
}

async function lacks(
  first: ClusterFile,
  read: () => Promise<ClusterFile>,
  servers: () => Promise<readonly ServerState[]>,
): Promise<string> {
  const { processes } = await read();
  const names = new Set(processes.map(({ name }) => name));
  const gone = first.processes.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  const states = await servers();
  const unwell = states
    .filter(({ role, isInQuorum }) => role !== "primary" && !isInQuorum)
    .map(({ name }) => `no commit waits for ${name}`);
  const primaries = states.filter(({ role }) => role === "primary").length;
  const isActive = processes.some(({ role }) => role === "signer-active");
  return [
    ...gone.map((name) => `no ${name}`),
    ...unwell,
    ...(primaries === 1 ? [] : [`${primaries} primaries`]),
    ...(isActive ? [] : ["no active signer"]),
  ].join(", ");
}

async function readServers({ processes }: ClusterFile): Promise<readonly ServerState[]> {
  const patronis = processes.filter(({ role }) => role === "patroni");
  return Promise.all(
    patronis.map(async ({ name, address }) => {
      const answer = (await getJson(`http://${address}/patroni`)) as {
        readonly role?: string;
        readonly timeline?: number;
        readonly quorum_standby?: boolean;
      } | null;
      return {
        name: name.replace("patroni", "postgres"),
        role: answer?.role ?? null,
        timeline: answer?.timeline ?? 0,
        isInQuorum: answer?.quorum_standby === true,
      };
    }),
  );
}

/** The process with that role; throws without one. */
export function processOf({ processes }: ClusterFile, role: string): ClusterProcess {
  const found = processes.find((one) => one.role === role);
  if (found === undefined) throw new Error(`no process is ${role}`);
  return found;
}

/** Cuts every link from and to these processes; resolves with the function that opens them. */
export async function cutOff(
  { links }: ClusterFile,
  names: readonly string[],
): Promise<() => Promise<void>> {
  const own = links.filter(({ from_name, to_name }) =>
    [from_name, to_name].some((name) => names.includes(name)),
  );
  await changeLinks(own, "cut");
  return () => changeLinks(own, "open");
}

export async function changeLinks(
  links: readonly ClusterLink[],
  state: "cut" | "open",
): Promise<void> {
  const body = JSON.stringify({ state });
  await Promise.all(links.map(({ control_url }) => fetch(control_url, { method: "POST", body })));
}
