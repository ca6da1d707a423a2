/** The parts that are killed: the service's own processes, and what they depend on. `witness`: that of two signers. */
export const killKinds = ["api", "worker", "signer", "witness", "node", "database"] as const;

export type KillKind = (typeof killKinds)[number];

/**
 * What happens to the deployment: parts that are killed and restarted, processes of the service that are paused for longer than their
 * leases and then go on as if nothing had happened (SIGSTOP, SIGCONT), locked tables, connections between two processes that are cut,
 * silent or slow, a database whose connections others take or whose disk is full, and clocks that are set.
 */
export const faultKinds = [
  ...killKinds,
  "pause",
  "lock",
  "network",
  "connections",
  "disk",
  "clock",
] as const;

export type FaultKind = (typeof faultKinds)[number];

export type ChaosOptions = {
  /** Faults per kind. */
  readonly rounds: number;
  readonly kinds: readonly FaultKind[];
  /** Those of `chaosChains` that run. */
  readonly chains: readonly string[];
  /** Decides which part is killed when, and what the load does; the machine's timing still varies. */
  readonly seed: number;
  /** Contains everything of the run: data, logs, the receiver's record. */
  readonly folder: string;
  /** The time limit from the last kill until everything is at rest. */
  readonly healSeconds: number;
  readonly print: (line: string) => void;
};
