/** Randomness, passed in so that seeded runs are repeatable. `fraction` is for jitter and choices, never for secrets. */
export type Random = {
  readonly bytes: (length: number) => Uint8Array;
  /** Uniform in [0, 1). */
  readonly fraction: () => number;
  readonly uuid: () => string;
};
