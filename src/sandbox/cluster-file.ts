import { rm } from "node:fs/promises";
import { writeAtomically } from "../platform/processes/write-atomically.ts";
import { clusterFilePath, type SandboxFile, sandboxTokensPath } from "./sandbox-file.ts";

export type ClusterRole =
  | "postgres-primary"
  | "postgres-replica"
  | "patroni"
  | "etcd"
  | "balancer"
  | "api"
  | "worker"
  | "signer-active"
  | "signer-standby"
  | "prometheus"
  | "node";

export type ClusterProcess = {
  readonly name: string;
  readonly role: ClusterRole;
  readonly pid: number;
  /** Host and port on which it listens, past all links. */
  readonly address: string;
  /** Only of etcd: whether this member leads the others. */
  readonly is_leader?: boolean;
};

/** Connections between two processes, which a test can cut or delay. */
export type ClusterLink = {
  /** The process's name; its role, where that can change, or where the link carries the connections of all of that role. */
  readonly from: string;
  readonly to: string;
  /** The names of both, which never change. */
  readonly from_name: string;
  readonly to_name: string;
  /** Host and port to which `from` connects. */
  readonly address: string;
  /** Takes `POST {"state": "cut" | "open", "delay_ms": 0}`. */
  readonly control_url: string;
};

/** What a running cluster publishes; rewritten when a pid or a role changes, removed when it stops. */
export type ClusterFile = SandboxFile & {
  readonly processes: readonly ClusterProcess[];
  readonly links: readonly ClusterLink[];
};

/** Written atomically with mode 0600. */
export function writeClusterFile(home: string, content: ClusterFile): Promise<void> {
  return writeAtomically(clusterFilePath(home), `${JSON.stringify(content, null, 2)}\n`);
}

/** Also removes the stored access tokens. */
export async function removeClusterFile(home: string): Promise<void> {
  await rm(clusterFilePath(home), { force: true });
  await rm(sandboxTokensPath(home), { force: true });
}
