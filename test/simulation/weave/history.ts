import { createSeeded, type Seeded } from "../../support/seeded.ts";
import type { Played } from "../play-payouts.ts";
import {
  describeSteps,
  fixedSchedule,
  randomSchedule,
  type Schedule,
  type Switch,
} from "./schedule.ts";
import type { Step } from "./weaver.ts";

/** What each program does, in order. Actions are plain data, chosen in advance, so that a history can be played again with fewer. */
export type Plan<Action> = readonly {
  readonly program: string;
  readonly actions: readonly Action[];
}[];

/** A kind of history. */
export type History<Action> = {
  readonly plan: (seeded: Seeded) => Plan<Action>;
  /** Plays a plan on an empty database and checks the outcome; `steps` receives what the programs do. */
  readonly play: (
    plan: Plan<Action>,
    schedule: Schedule,
    steps: (steps: readonly Step[]) => void,
  ) => Promise<Played>;
};

/** Playing a failing history again and again, to make it shorter, ends after this many times. */
const triesMax = 1_000;

/** Plays a seed's history. Rejects with its shortest version that fails: what the programs did, and when they gave way. */
export async function playHistory<Action>(history: History<Action>, seed: number): Promise<Played> {
  const seeded = createSeeded(seed);
  const plan = history.plan(seeded);
  const schedule = randomSchedule(seeded);
  const failed = await tryOut(history, plan, schedule);
  if ("played" in failed) return failed.played;
  const shortest = await shrink(history, {
    plan,
    switches: schedule.switches,
    error: failed.error,
    steps: failed.steps,
  });
  throw new Error(describe(shortest), { cause: shortest.error });
}

type Failed<Action> = {
  readonly plan: Plan<Action>;
  readonly switches: readonly Switch[];
  readonly error: Error;
  readonly steps: readonly Step[];
};

async function tryOut<Action>(
  history: History<Action>,
  plan: Plan<Action>,
  schedule: Schedule,
): Promise<
  { readonly played: Played } | { readonly error: Error; readonly steps: readonly Step[] }
> {
  let steps: readonly Step[] = [];
  try {
    const played = await history.play(plan, schedule, (taken) => {
      steps = taken;
    });
    return { played };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)), steps };
  }
}

/** Takes out actions and switches, in halves and then one by one, as long as the history still fails. */
async function shrink<Action>(
  history: History<Action>,
  first: Failed<Action>,
): Promise<Failed<Action>> {
  let best = first;
  let tries = 0;
  const isWorse = async (plan: Plan<Action>, switches: readonly Switch[]): Promise<boolean> => {
    if (tries >= triesMax) return false;
    tries += 1;
    const outcome = await tryOut(history, plan, fixedSchedule(switches));
    if ("played" in outcome) return false;
    best = { plan, switches, ...outcome };
    return true;
  };
  // A history that its own switches do not repeat cannot be made shorter.
  if (!(await isWorse(first.plan, first.switches))) return first;
  for (let before = -1; before !== sizeOf(best); ) {
    before = sizeOf(best);
    for (const { program } of first.plan) {
      const actionsOf = (plan: Plan<Action>) =>
        plan.find((each) => each.program === program)?.actions ?? [];
      await takeOut(
        () => actionsOf(best.plan),
        (actions) =>
          isWorse(
            best.plan.map((each) => (each.program === program ? { program, actions } : each)),
            best.switches,
          ),
      );
    }
    await takeOut(
      () => best.switches,
      (switches) => isWorse(best.plan, switches),
    );
  }
  return best;
}

async function takeOut<Item>(
  items: () => readonly Item[],
  isStillFailing: (fewer: readonly Item[]) => Promise<boolean>,
): Promise<void> {
  for (let part = items().length; part >= 1; part = Math.floor(part / 2)) {
    for (let from = 0; from < items().length; ) {
      const fewer = [...items().slice(0, from), ...items().slice(from + part)];
      if (!(await isStillFailing(fewer))) from += part;
    }
  }
}

function sizeOf<Action>({ plan, switches }: Failed<Action>): number {
  return switches.length + plan.reduce((sum, { actions }) => sum + actions.length, 0);
}

function describe<Action>({ plan, switches, error, steps }: Failed<Action>): string {
  const actions = plan
    .filter((each) => each.actions.length > 0)
    .map(
      (each) => `  ${each.program}: ${each.actions.map((one) => JSON.stringify(one)).join(" ")}`,
    );
  const given = switches.map(
    ({ program, at, to }) => `  before operation ${at} of ${program}, ${to} continues`,
  );
  return [
    error.message,
    "what the programs do:",
    ...actions,
    "context switches:",
    ...given,
    "what happened:",
    describeSteps(steps),
  ].join("\n");
}
