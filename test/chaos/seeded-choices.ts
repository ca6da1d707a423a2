import { seededFractions } from "../support/seeded.ts";

/** Choices of a seeded run. The same seed gives the same choices if they are made in the same order. */
export type Choices = {
  /** Uniform in [0, 1). */
  readonly fraction: () => number;
  /** From `from` to `to`, inclusive. */
  readonly integer: (from: number, to: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly shuffled: <Item>(items: readonly Item[]) => Item[];
};

export function seededChoices(seed: number): Choices {
  const fraction = seededFractions(seed);
  const integer = (from: number, to: number): number =>
    from + Math.floor(fraction() * (to - from + 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[integer(0, items.length - 1)]!,
    shuffled: (items) => {
      const result = [...items];
      for (let index = result.length - 1; index > 0; index -= 1) {
        const other = integer(0, index);
        [result[index], result[other]] = [result[other]!, result[index]!];
      }
      return result;
    },
  };
}
