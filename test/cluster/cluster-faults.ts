import type { ClusterFile } from "../../src/sandbox/cluster-file.ts";
import { killProcess } from "../chaos/part.ts";
import { cutOff, processOf } from "./running-cluster.ts";

/** A fault of the cluster. */
export type ClusterFault = {
  readonly name: string;
  /** Resolves with how it is undone, once another server leads where `promotes`. */
  readonly strike: (file: ClusterFile) => Promise<() => Promise<void>>;
  /** Whether another server must become the primary. */
  readonly promotes: boolean;
};

const nothing = (): Promise<void> => Promise.resolve();

/** The number of the host that a process is on: `postgres-2` is on the second. */
function hostOf(name: string): string {
  return name.slice(name.lastIndexOf("-") + 1);
}

/** Everything on that process's host ends at once, and its network is gone. The supervisor there cannot reach anything either. */
async function loseHost(
  file: ClusterFile,
  of: string,
  kinds: readonly string[],
): Promise<() => Promise<void>> {
  const names = kinds.map((kind) => `${kind}-${hostOf(of)}`);
  const lost = file.processes.filter(({ name }) => names.includes(name));
  const reopen = await cutOff(file, names);
  for (const { pid } of lost) killProcess(pid);
  return reopen;
}

export const clusterFaults: readonly ClusterFault[] = [
  {
    name: "primary killed",
    promotes: true,
    strike: (file) => {
      killProcess(processOf(file, "postgres-primary").pid);
      return Promise.resolve(nothing);
    },
  },
  {
    name: "primary's host lost",
    promotes: true,
    strike: (file) => {
      const { name } = processOf(file, "postgres-primary");
      return loseHost(file, name, ["postgres", "patroni", "etcd", "api", "worker", "signer"]);
    },
  },
  {
    name: "switchover",
    promotes: true,
    strike: async (file) => {
      const leader = processOf(file, "postgres-primary").name;
      const patroni = file.processes.find(({ name }) => name === `patroni-${hostOf(leader)}`);
      const answer = await fetch(`http://${patroni?.address}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader }),
      });
      if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
      return nothing;
    },
  },
  {
    name: "primary cut off",
    promotes: true,
    strike: (file) => {
      const { name } = processOf(file, "postgres-primary");
      return cutOff(file, [name, `patroni-${hostOf(name)}`]);
    },
  },
  {
    name: "etcd's leader killed",
    promotes: false,
    strike: (file) => {
      const leader = file.processes.find(({ is_leader }) => is_leader === true);
      if (leader === undefined) throw new Error("no etcd member leads");
      killProcess(leader.pid);
      return Promise.resolve(nothing);
    },
  },
  {
    name: "replica lost",
    promotes: false,
    strike: (file) => {
      const { name } = processOf(file, "postgres-replica");
      return loseHost(file, name, ["postgres", "patroni"]);
    },
  },
];
