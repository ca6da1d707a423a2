import { addSeconds, type Clock } from "../../src/platform/kernel/clock.ts";
import { type Plan, type SoakKind, seedsOf } from "./kinds.ts";
import type { SoakRun } from "./read-run.ts";

/** A kind that failed so often is not run again: what is wrong is known, and the others get the time. */
export const failuresMax = 10;

export type SoakOptions = {
  readonly hours: number;
  readonly kinds: readonly SoakKind[];
  /** The first seed of each kind. */
  readonly from: number;
  /** Histories of a run. */
  readonly histories: number;
  /** Faults of each kind that strike a deployment. */
  readonly rounds: number;
};

type SoakParts = {
  readonly clock: Pick<Clock, "now">;
  readonly play: (plan: Plan) => Promise<SoakRun>;
  readonly signal: AbortSignal;
};

/**
 * Plays histories of one kind after the other, and beside them one deployment after the other under load and faults, until the time is
 * up or `signal` aborts. A run begins with the seed after the last one of its kind; once begun, it is finished whatever the time.
 */
export async function soak(
  options: SoakOptions,
  { clock, play, signal }: SoakParts,
): Promise<void> {
  const until = addSeconds(clock.now(), options.hours * 3_600);
  const seeds = new Map<SoakKind, number>();
  const failures = new Map<SoakKind, number>();
  const repeat = async (kinds: readonly SoakKind[], size: number): Promise<void> => {
    const isWanted = (kind: SoakKind): boolean => (failures.get(kind) ?? 0) < failuresMax;
    while (kinds.some(isWanted)) {
      for (const kind of kinds.filter(isWanted)) {
        if (signal.aborted || clock.now() >= until) return;
        const from = seeds.get(kind) ?? options.from;
        seeds.set(kind, from + seedsOf({ kind, size }));
        const { failure } = await play({ kind, from, size });
        if (failure !== null) failures.set(kind, (failures.get(kind) ?? 0) + 1);
      }
    }
  };
  await Promise.all([
    repeat(
      options.kinds.filter((kind) => kind !== "chaos"),
      options.histories,
    ),
    repeat(
      options.kinds.filter((kind) => kind === "chaos"),
      options.rounds,
    ),
  ]);
}
