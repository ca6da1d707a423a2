import type { Mutant } from "./report.ts";

/** A mutant that changes nothing that matters, and why. */
export type Harmless = {
  readonly file: string;
  /** The line on which it begins, without indentation. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
};

export type Judged = {
  /** Mutants that count: they compile, and are not listed as harmless. */
  readonly counted: number;
  readonly noticed: number;
  readonly refused: number;
  readonly harmless: number;
  readonly unnoticed: readonly Mutant[];
  /** Listed as harmless, though no mutant like it went unnoticed. */
  readonly stale: readonly Harmless[];
};

/** Counts the mutants of a module. Those that types refuse, or that are listed as harmless, are outside the score. */
export function judgeMutants(
  mutants: readonly Mutant[],
  listed: readonly Harmless[],
  isRefused: (mutant: Mutant) => boolean,
): Judged {
  const compiling = mutants
    .filter(({ state }) => state !== "outside")
    .filter((each) => !isRefused(each));
  const missed = compiling.filter(({ state }) => state === "unnoticed");
  const isListed = (mutant: Mutant): boolean => listed.some((entry) => isSame(entry, mutant));
  const unnoticed = missed.filter((mutant) => !isListed(mutant));
  const harmless = missed.length - unnoticed.length;
  return {
    counted: compiling.length - harmless,
    noticed: compiling.length - missed.length,
    refused: mutants.filter(({ state }) => state !== "outside").length - compiling.length,
    harmless,
    unnoticed,
    stale: listed.filter((entry) => !missed.some((mutant) => isSame(entry, mutant))),
  };
}

/** The share of mutants that the tests noticed, in tenths of a percent, rounded down. */
export function scoreOf({ noticed, counted }: Pick<Judged, "noticed" | "counted">): number {
  return counted === 0 ? 0 : Math.floor((noticed * 1_000) / counted) / 10;
}

function isSame(entry: Harmless, { file, text, before, after }: Mutant): boolean {
  return (
    entry.file === file && entry.text === text && entry.before === before && entry.after === after
  );
}
