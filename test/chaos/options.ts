/** The parts that are killed: the service's own processes, and what they depend on. */
export const killKinds = ["api", "worker", "signer", "node", "database"] as const;

export type KillKind = (typeof killKinds)[number];

export type ChaosOptions = {
  /** Kills per kind. */
  readonly rounds: number;
  readonly kinds: readonly KillKind[];
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
