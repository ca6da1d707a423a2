import type { World } from "../../platform/kernel/world.ts";
import type { ClusterRole } from "../../sandbox/cluster-file.ts";
import type { Teardown } from "../processes/teardown.ts";
import type { ClusterPrograms } from "./find-programs.ts";
import type { Keeper } from "./keep-program.ts";
import type { Links } from "./links.ts";

/** What every part of a cluster is started with. */
export type ClusterSite = World & {
  /** The cluster's own folder below `SLUICE_HOME`. */
  readonly folder: string;
  readonly programs: ClusterPrograms;
  readonly keeper: Keeper;
  readonly links: Links;
  readonly teardown: Teardown;
  /** A free port that no other part takes. */
  readonly takePort: () => Promise<number>;
};

/** A process of the cluster as it is at this moment; `pid` is null while it does not run. */
export type ObservedProcess = {
  readonly name: string;
  readonly role: ClusterRole;
  readonly pid: number | null;
  readonly address: string;
  readonly is_leader?: boolean;
};

/** Parts of one kind. */
export type ClusterPart = {
  readonly observe: () => Promise<readonly ObservedProcess[]>;
  /** Resolves with the reason when one of them cannot be started any more. */
  readonly failed: Promise<string>;
};

/** Where a process on this machine listens. */
export function loopback(port: number): string {
  return `127.0.0.1:${port}`;
}
