import { present } from "../../src/platform/kernel/assert.ts";
import type { Seeded } from "../support/seeded.ts";
import type { Model, ModelStep, Place, Taken } from "./open-model.ts";

/** A model's names for its parts. */
export type Exploration = {
  readonly actions: readonly string[];
  readonly invariants: readonly string[];
  /** Variables that no action reads: states that differ in nothing else count once. */
  readonly ignored: readonly string[];
};

export type Explored = {
  readonly states: number;
  /** How many steps the shortest way to the farthest state has. */
  readonly depth: number;
  /** How many states each action was the first to reach. */
  readonly reachedBy: Readonly<Record<string, number>>;
  /** The shortest history that breaks an invariant; null if none does. */
  readonly violation: { readonly invariant: string; readonly history: readonly ModelStep[] } | null;
};

type Reached = { readonly from: Reached | null; readonly step: ModelStep };

/** Visits every reachable state, breadth first. Stops at the first that breaks an invariant; throws beyond `statesMax`. */
export function explore(model: Model, parts: Exploration, statesMax: number): Explored {
  const { actions, invariants, ignored } = parts;
  const keyOf = ({ state }: Place): string =>
    JSON.stringify(Object.entries(state).filter(([name]) => !ignored.includes(name)));
  const first = model.start();
  const seen = new Set([keyOf(first)]);
  const reachedBy: Record<string, number> = {};
  const start: Reached = { from: null, step: { action: "init", picks: {}, state: first.state } };
  let frontier: { readonly place: Place; readonly reached: Reached }[] = [
    { place: first, reached: start },
  ];
  let depth = 0;
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { place, reached } of frontier) {
      for (const action of actions) {
        for (const found of model.stepsFrom(place, action)) {
          const key = keyOf(found.place);
          if (seen.has(key)) continue;
          seen.add(key);
          if (seen.size > statesMax) throw new Error(`more than ${statesMax} states`);
          reachedBy[action] = (reachedBy[action] ?? 0) + 1;
          const here: Reached = { from: reached, step: found.step };
          const broken = invariants.find((invariant) => !model.holds(invariant, found.place));
          if (broken !== undefined) {
            const violation = { invariant: broken, history: historyOf(here) };
            return { states: seen.size, depth: depth + 1, reachedBy, violation };
          }
          next.push({ place: found.place, reached: here });
        }
      }
    }
    frontier = next;
    if (next.length > 0) depth += 1;
  }
  return { states: seen.size, depth, reachedBy, violation: null };
}

function historyOf(last: Reached): readonly ModelStep[] {
  const steps: ModelStep[] = [];
  for (let at: Reached | null = last; at !== null; at = at.from) steps.unshift(at.step);
  return steps;
}

/** A random history of at most that many steps. */
export function walk(
  model: Model,
  { actions }: Exploration,
  seeded: Seeded,
  stepsMax: number,
): readonly ModelStep[] {
  let place = model.start();
  const steps: ModelStep[] = [{ action: "init", picks: {}, state: place.state }];
  while (steps.length <= stepsMax) {
    const untried = [...actions];
    let taken: Taken | null = null;
    while (taken === null && untried.length > 0) {
      const [action] = untried.splice(seeded.between(0, untried.length - 1), 1);
      taken = seeded.oneOf([...model.stepsFrom(place, present(action, "an action"))]);
    }
    if (taken === null) break;
    steps.push(taken.step);
    ({ place } = taken);
  }
  return steps;
}
