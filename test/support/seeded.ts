/** Choices that follow from a seed. */
export type Seeded = {
  /** Uniform in [0, 1). */
  readonly fraction: () => number;
  /** A whole number from `min` to `max`, both included. */
  readonly between: (min: number, max: number) => number;
  readonly chance: (probability: number) => boolean;
  /** Null for an empty list. */
  readonly oneOf: <Item>(items: readonly Item[]) => Item | null;
};

/** Mulberry32 by Tommy Ettinger: 32 bits of state. Uniform in [0, 1). */
export function seededFractions(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function createSeeded(seed: number): Seeded {
  const fraction = seededFractions(seed);
  const between = (min: number, max: number): number =>
    min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    oneOf: (items) => items[between(0, items.length - 1)] ?? null,
  };
}
