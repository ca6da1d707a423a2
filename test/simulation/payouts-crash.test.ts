import { describe, expect, it } from "vitest";
import { assertAllSettled } from "../support/check-payouts.ts";
import { useDatabase } from "../support/database.ts";
import { emptyDatabase } from "../support/database-backup.ts";
import type { Batches, Funding } from "../support/paying-chain.ts";
import { comeToRest, replaceProgram, startPrograms } from "../support/payout-programs.ts";
import { askForPayout, coinId, createPayoutSite, receiverOf } from "../support/payout-site.ts";

/*
 * A paying worker is killed after each step, one history per step: every statement, every transaction, every request
 * to node and signer. Another one takes over, and each payout is paid exactly once.
 */

const database = useDatabase();

/** Reads and mines blocks, and works: `f` and `w`, in this order. */
const usual = "fffwfw";
/** The first transaction becomes final, and another one pays again what it undid. */
const together = "fffwfffwffw";
/** The account's set-up is in a block before its payouts are drafted. */
const settingUp = "fffwfwffw";
/** In between, what the first run signed expires, and the block after it becomes final. */
const expiring = "fffwffffffw";

/** Runs the worker for a number of steps. True if it died before everything was done. */
async function live(
  funding: Funding,
  steps: number,
  turns = usual,
  batches: Batches | null = null,
): Promise<boolean> {
  await emptyDatabase(database);
  const lifetime = { blocks: 4 };
  const options = { funding, confirmations: 2, lifetime, batches };
  const site = await createPayoutSite(database, options);
  const deployment = startPrograms(site);
  // The chain refuses one of three payments, and with it the others of its transaction where it is atomic.
  if (batches !== null) site.chain.reverting.add(receiverOf(site, 2));
  // The node broadcasts nothing until another program takes over.
  if (turns === expiring) site.faults.broadcast = "dropped";
  for (const number of batches === null ? [0, 1] : [0, 1, 2]) {
    const payout = { number, currency: coinId, units: 1_000n + BigInt(number), feeUnits: 20n };
    const { id } = await askForPayout(site, payout);
    deployment.requests.push({ ...payout, id, isLost: false, isCancelled: false });
  }
  const [worker, other, follower] = deployment.programs;
  let left = steps;
  for (const turn of turns) {
    const runner = turn === "f" ? follower! : worker!;
    const { program, main } = runner;
    if (runner === follower) site.chain.mine();
    else site.clock.advance(30);
    await program.start(main);
    while (program.isRunning()) {
      left -= runner === worker ? 1 : 0;
      await program.step(left === 0 && runner === worker ? "killAfter" : "go");
    }
    if (program.isDead()) break;
  }
  const hasDied = worker!.program.isDead();
  if (hasDied) replaceProgram(deployment, 0);
  await comeToRest(deployment);
  await assertAllSettled(site, deployment.requests);
  expect(other!.program.isDead()).toBe(false);
  return hasDied;
}

describe("crashes of the paying worker", () => {
  it.each<Funding>(["coins", "account", "expiring"])(
    "leave each payout of %s paid once, whenever the worker is killed",
    async (funding) => {
      let deaths = 0;
      while (await live(funding, deaths + 1)) deaths += 1;
      // Far fewer steps would mean that nothing was paid.
      expect(deaths).toBeGreaterThan(25);
    },
    900_000,
  );

  it.each([true, false])(
    "leave each payout of a transaction with several paid once or failed, whenever the worker is killed (atomic: %s)",
    async (isAtomic) => {
      const batches = { paymentsMax: 3, isAtomic };
      let deaths = 0;
      while (await live("account", deaths + 1, together, batches)) deaths += 1;
      const payouts = await database.sql("select stage from payout order by id");
      expect(payouts).toEqual(["confirmed", "confirmed", "failed"].map((stage) => ({ stage })));
      expect(deaths).toBeGreaterThan(isAtomic ? 40 : 25);
    },
    900_000,
  );

  it("leave each payout with the numbers of lenders paid once or failed, whenever the worker is killed", async () => {
    // The first two share a transaction; the one that fails has the numbers of the lender.
    const batches = { paymentsMax: 2, isAtomic: true, lenders: ["lender"] };
    let deaths = 0;
    while (await live("account", deaths + 1, together, batches)) deaths += 1;
    const payouts = await database.sql("select stage from payout order by id");
    expect(payouts).toEqual(["confirmed", "confirmed", "failed"].map((stage) => ({ stage })));
    const lent = await database.sql("select state from spend where request->'funds' ? 'lender'");
    expect(lent).toEqual([{ state: "failed" }]);
    expect(deaths).toBeGreaterThan(40);
  }, 900_000);

  it("leave each payout of an account that is set up for batches first paid once or failed, whenever the worker is killed", async () => {
    const batches = { paymentsMax: 3, isAtomic: false, needsSetUp: true };
    let deaths = 0;
    while (await live("account", deaths + 1, settingUp, batches)) deaths += 1;
    const payouts = await database.sql("select stage from payout order by id");
    expect(payouts).toEqual(["confirmed", "confirmed", "failed"].map((stage) => ({ stage })));
    const spends = await database.sql("select kind, state from spend order by id");
    expect(spends).toEqual([
      { kind: "gap", state: "confirmed" },
      { kind: "payout", state: "confirmed" },
    ]);
    expect(deaths).toBeGreaterThan(40);
  }, 900_000);

  it("release the money of each expired payout once, whenever the worker is killed", async () => {
    let deaths = 0;
    while (await live("expiring", deaths + 1, expiring)) deaths += 1;
    const payouts = await database.sql("select stage from payout");
    expect(payouts).toEqual([{ stage: "failed" }, { stage: "failed" }]);
    expect(deaths).toBeGreaterThan(25);
  }, 900_000);
});
