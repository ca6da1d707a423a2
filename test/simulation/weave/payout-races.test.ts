import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { useDatabase } from "../../support/database.ts";
import type { Plan } from "./history.ts";
import type { PayoutAction } from "./payout-plan.ts";
import {
  type PayoutDeployment,
  payoutHistory,
  startPayoutDeployment,
} from "./play-woven-payouts.ts";
import { fixedSchedule, type Switch } from "./schedule.ts";
import type { Step } from "./weaver.ts";

/* Two members act on one payout, and the second one acts between any two statements of the first one. */

const database = useDatabase();
let deployment: PayoutDeployment | null = null;
beforeAll(async () => {
  deployment = await startPayoutDeployment(database);
});
afterAll(() => deployment?.stop());

const request = (waits: boolean): PayoutAction => ({
  do: "request",
  payout: 0,
  units: 5_000,
  waits,
});

const races: readonly {
  readonly title: string;
  readonly before: readonly PayoutAction[];
  readonly first: PayoutAction;
  readonly second: PayoutAction;
}[] = [
  {
    title: "two requests with one idempotency key create one payout",
    before: [],
    first: request(false),
    second: request(false),
  },
  {
    title: "two cancellations release the funds once",
    before: [request(false)],
    first: { do: "cancel", payout: 0 },
    second: { do: "cancel", payout: 0 },
  },
  {
    title: "an approval and a cancellation exclude each other",
    before: [request(true)],
    first: { do: "approve", payout: 0 },
    second: { do: "cancel", payout: 0 },
  },
];

describe("between any two statements", () => {
  it.each(races)("$title", async ({ before, first, second }) => {
    const history = payoutHistory(present(deployment, "a deployment"));
    const plan: Plan<PayoutAction> = [
      { program: "before", actions: before },
      { program: "client", actions: [first] },
      { program: "colleague", actions: [second] },
    ];
    const play = async (switches: readonly Switch[]): Promise<readonly Step[]> => {
      let steps: readonly Step[] = [];
      await history.play(plan, fixedSchedule(switches), (taken) => {
        steps = taken;
      });
      return steps;
    };
    const undisturbed = (await play([])).filter(({ program }) => program === "client").length;
    let hasWaited = false;
    for (let at = 0; at < undisturbed; at += 1) {
      const steps = await play([{ program: "client", at, to: "colleague" }]);
      hasWaited ||= steps.some((step) => step.hasWaited);
    }
    expect(hasWaited).toBe(true);
  });
});
