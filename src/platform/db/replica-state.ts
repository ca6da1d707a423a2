/** Why the primary answered in the replica's place. */
export type PrimaryReason = "behind" | "unreachable" | "refused";

/** For metrics. */
export type ReplicaState = {
  /** Since the process started. */
  readonly answers: {
    readonly replica: number;
    readonly primary: Readonly<Record<PrimaryReason, number>>;
  };
  /** How far it was behind at the last look; null while nothing shows it. */
  readonly lagSeconds: number | null;
};
