/** What is killed: the service's own processes, and what they stand on. */
export const killKinds = ["api", "worker", "signer", "node", "database"] as const;

export type KillKind = (typeof killKinds)[number];

export type ChaosOptions = {
  /** Kills per kind. */
  readonly rounds: number;
  readonly kinds: readonly KillKind[];
  /** Decides who is killed when, and what the load does; the timing of the machine stays its own. */
  readonly seed: number;
  /** Everything of the run is below it: data, logs, what the receiver got. */
  readonly folder: string;
  /** Longest from the last kill until everything must have come to rest. */
  readonly healSeconds: number;
  readonly print: (line: string) => void;
};
