import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { useDatabase } from "../../support/database.ts";
import type { DepositAction } from "./deposit-plan.ts";
import { type DepositDeployment, startDepositDeployment } from "./deposit-site.ts";
import type { Plan } from "./history.ts";
import { depositHistory } from "./play-deposits.ts";
import { describeSteps, fixedSchedule, type Switch } from "./schedule.ts";
import type { Step } from "./weaver.ts";

/* Interleavings that were found by seeds, each shortened to what it takes. They end like all others: as the chain says. */

const database = useDatabase();
let deployment: DepositDeployment | null = null;
beforeAll(async () => {
  deployment = await startDepositDeployment(database);
});
afterAll(() => deployment?.stop());

type Race = {
  readonly plan: Plan<DepositAction>;
  readonly switches: readonly Switch[];
  /** A part of what happens, without which the race no longer takes place. */
  readonly meets: string;
};

async function run({ plan, switches, meets }: Race): Promise<void> {
  const history = depositHistory(present(deployment, "a deployment"));
  let taken: readonly Step[] = [];
  await history.play(plan, fixedSchedule(switches), (steps) => {
    taken = steps;
  });
  expect(describeSteps(taken)).toContain(meets);
}

const overpaid: Plan<DepositAction>[number] = {
  program: "before",
  actions: [
    { do: "pay", deposit: 0, percent: 130 },
    { do: "mine", blocks: 2 },
  ],
};

describe("a race", () => {
  it("of two members who accept a deposit credits it once", () =>
    run({
      plan: [
        overpaid,
        { program: "owner", actions: [{ do: "accept", deposit: 0 }] },
        { program: "admin", actions: [{ do: "accept", deposit: 0 }] },
      ],
      switches: [{ program: "owner", at: 10, to: "admin" }],
      meets: "admin: begin, deposit.read-one, incoming.lock-deposits (waits)",
    }));

  it("of a cancellation with a reorg cancels a payment that was spent twice", () =>
    run({
      plan: [
        {
          program: "before",
          actions: [
            { do: "pay", deposit: 2, percent: 40 },
            { do: "mine", blocks: 1 },
          ],
        },
        { program: "outside", actions: [{ do: "double spend" }] },
        { program: "follower", actions: [{ do: "step" }, { do: "step" }, { do: "step" }] },
        { program: "owner", actions: [{ do: "cancel", deposit: 2 }] },
      ],
      switches: [
        { program: "follower", at: 11, to: "owner" },
        { program: "owner", at: 8, to: "follower" },
      ],
      meets: "report.find-busy, incoming.lock-free-deposits, report.insert",
    }));

  it("of two cancellations with a payment holds the payment that arrives while the second one waits", () =>
    run({
      plan: [
        {
          program: "outside",
          actions: [
            { do: "wait", seconds: 1 },
            { do: "pay", deposit: 1, percent: 40 },
            { do: "mine", blocks: 2 },
          ],
        },
        { program: "before", actions: [{ do: "mine", blocks: 1 }] },
        { program: "follower", actions: [{ do: "step" }, { do: "step" }] },
        { program: "owner", actions: [{ do: "cancel", deposit: 1 }] },
        { program: "admin", actions: [{ do: "cancel", deposit: 1 }] },
      ],
      switches: [
        { program: "outside", at: 0, to: "admin" },
        { program: "admin", at: 7, to: "owner" },
      ],
      meets: "owner: begin, deposit.read-one, incoming.lock-deposits (waits)",
    }));
});
