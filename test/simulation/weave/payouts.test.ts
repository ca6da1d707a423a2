import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { useDatabase } from "../../support/database.ts";
import { playAll } from "../play-seeds.ts";
import { playHistory } from "./history.ts";
import {
  type PayoutDeployment,
  payoutHistory,
  startPayoutDeployment,
} from "./play-woven-payouts.ts";

/*
 * Whatever order the statements of concurrent programs run in, each payout is created once, and paid once or released
 * (`play-woven-payouts.ts`). The seed of a failing history is printed with a short version of it;
 * `npm run simulate -- --of woven-payouts --seeds 1 --from SEED` repeats it.
 */

const database = useDatabase();
let deployment: PayoutDeployment | null = null;
beforeAll(async () => {
  deployment = await startPayoutDeployment(database);
});
afterAll(() => deployment?.stop());

/** Measured at 0.4 s per history on two cores; seeds among which the mutations of locks are noticed. */
const range = { from: 1, seeds: 40 };

describe("interleaved payout histories", () => {
  it("create each payout once, and pay it once or release its funds", async () => {
    const history = payoutHistory(present(deployment, "a deployment"));
    const { seen } = await playAll(range, (seed) => playHistory(history, seed));
    // Histories in which programs do not meet show nothing.
    const wanted = [
      ...["waits", "request", "request: refused", "approve", "cancel", "cancel: refused"],
      ...["pause", "resume", "pass", "read", "mine", "reorg", "forget", "broadcasts", "wait"],
    ];
    expect(wanted.filter((what) => (seen.get(what) ?? 0) === 0)).toEqual([]);
  }, 900_000);
});
