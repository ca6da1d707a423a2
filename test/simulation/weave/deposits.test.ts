import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { useDatabase } from "../../support/database.ts";
import { createSeeded } from "../../support/seeded.ts";
import { playAll } from "../play-seeds.ts";
import { type DepositDeployment, startDepositDeployment } from "./deposit-site.ts";
import { playHistory } from "./history.ts";
import { depositHistory } from "./play-deposits.ts";
import { describeSteps, randomSchedule } from "./schedule.ts";
import type { Step } from "./weaver.ts";

/*
 * Whatever order the statements of concurrent programs run in, deposits end as the chain says (`play-deposits.ts`). The seed of a failing
 * history is printed with a short version of it; `npm run simulate -- --of woven-deposits --seeds 1 --from SEED` repeats it.
 */

const database = useDatabase();
let deployment: DepositDeployment | null = null;
beforeAll(async () => {
  deployment = await startDepositDeployment(database);
});
afterAll(() => deployment?.stop());

/** Measured at 0.2 to 0.4 s per history on two cores; seeds among which the mutations of locks are noticed. */
const range = { from: 9, seeds: 40 };

describe("interleaved deposit histories", () => {
  it("end as the chain says, with balanced books, in whatever order statements run", async () => {
    const history = depositHistory(present(deployment, "a deployment"));
    const { seen } = await playAll(range, (seed) => playHistory(history, seed));
    // Histories in which programs do not meet show nothing.
    const wanted = [
      ...["waits", "deferred reports", "step", "decide", "expire", "cancel", "accept"],
      ...["keep", "limit", "create", "pay out", "pay", "mine", "reorg", "replace", "double spend"],
    ];
    expect(wanted.filter((what) => (seen.get(what) ?? 0) === 0)).toEqual([]);
  }, 900_000);

  it("are the same for the same seed", async () => {
    const history = depositHistory(present(deployment, "a deployment"));
    const stepsOf = async (seed: number): Promise<string> => {
      const seeded = createSeeded(seed);
      let taken: readonly Step[] = [];
      await history.play(history.plan(seeded), randomSchedule(seeded), (steps) => {
        taken = steps;
      });
      return describeSteps(taken);
    };
    for (const seed of [3, 9, 42]) expect(await stepsOf(seed)).toBe(await stepsOf(seed));
  });
});
