import assert from "node:assert/strict";
import type { Session } from "../../../src/chains/follow/follower-session.ts";
import { takeStep } from "../../../src/chains/follow/take-step.ts";
import {
  acceptDeposit,
  cancelDeposit,
  changeDeposit,
} from "../../../src/deposits/payments/change-deposit.ts";
import { concludeExpiries } from "../../../src/deposits/payments/conclude-expiries.ts";
import { decideReported } from "../../../src/deposits/payments/decide-reported.ts";
import { reconsider } from "../../../src/deposits/payments/reconsider.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { formatDecimal } from "../../../src/platform/kernel/decimal.ts";
import { Rejected } from "../../../src/platform/kernel/rejection.ts";
import { isDatabaseAway, Unavailable } from "../../../src/platform/kernel/unavailable.ts";
import type { ApiResponse } from "../../support/api-server.ts";
import { expectBooksToBalance } from "../../support/check-books.ts";
import { arrangeDeposit, btc, ownerOf } from "../../support/deposit-world.ts";
import { hold, stepUntilIdle } from "../../support/followed-chain.ts";
import { bitcoinPayee, currencyIs, postPayout } from "../../support/payout-world.ts";
import type { Played } from "../play-payouts.ts";
import { assertDepositsAsOnChain, readDepositState, readTallies } from "./check-deposits.ts";
import { type DepositAction, planDeposits } from "./deposit-plan.ts";
import {
  createDepositSite,
  type DepositDeployment,
  type DepositProgram,
  type DepositSite,
  depositKeyspace,
  depositPrograms,
  requestedUnits,
} from "./deposit-site.ts";
import type { History } from "./history.ts";
import { createWeaver } from "./weaver.ts";

/*
 * Histories of deposits whose statements interleave: the follower reads blocks and the mempool, deferred reports are decided, time limits
 * end, two members cancel, accept, refund and change deposits, and payouts use the same wallet. In the end all of them run until
 * nothing changes any more: what is stored is what the chain holds, the books balance, and a restart changes nothing.
 */

export function depositHistory(deployment: DepositDeployment): History<DepositAction> {
  return {
    plan: planDeposits,
    play: async (plan, schedule, steps) => {
      const site = await createDepositSite(deployment);
      const actionsOf = (name: string): readonly DepositAction[] =>
        plan.find(({ program }) => program === name)?.actions ?? [];
      site.weave(null);
      const following: Following = { session: await hold(site.follower) };
      for (const action of actionsOf("before")) {
        await perform(site, following, "outside", action);
        await stepUntilIdle(site.follower, following.session);
        await decide(site);
      }
      const weaver = createWeaver(deployment.readLockWaits);
      steps(weaver.steps);
      const counts: Record<string, number> = {};
      for (const program of depositPrograms)
        weaver.start(program, async () => {
          for (const action of actionsOf(program)) {
            const work = () => perform(site, following, program, action);
            const done =
              program === "outside"
                ? await weaver.outside(program, JSON.stringify(action), work)
                : await work();
            counts[done] = (counts[done] ?? 0) + 1;
          }
        });
      site.weave(weaver);
      try {
        await weaver.run(schedule);
      } finally {
        site.weave(null);
      }
      await comeToRest(site, following);
      await assertDepositsAsOnChain(site);
      await expectBooksToBalance(deployment.database);
      const settled = await readDepositState(site);
      const tallies = await readTallies(site);
      await startAgain(site, following);
      await comeToRest(site, following);
      await reconsiderAll(site);
      await following.session.end();
      assert.deepEqual(await readDepositState(site), settled);
      const computed = await readTallies(site);
      for (const [id, tally] of tallies)
        assert.deepEqual(computed.get(id), tally, `the tally of deposit ${id}`);
      return { ...counts, ...countSteps(weaver.steps) };
    },
  };
}

function countSteps(
  steps: readonly { readonly what: string; readonly hasWaited: boolean }[],
): Played {
  return {
    operations: steps.length,
    waits: steps.filter(({ hasWaited }) => hasWaited).length,
    deadlocks: steps.filter(({ what }) => what === "begin again").length,
    "deferred reports": steps.filter(({ what }) => what === "report.insert").length,
  };
}

const { signal } = new AbortController();

async function decide({ deployment }: DepositSite): Promise<void> {
  await decideReported(deployment.quiet.world.context, signal);
}

/** All programs run, one after the other, until nothing changes. */
async function comeToRest(site: DepositSite, { session }: Following): Promise<void> {
  const { context } = site.deployment.quiet.world;
  let before = "";
  for (let round = 0; round < 20; round += 1) {
    await stepUntilIdle(site.follower, session);
    await decideReported(context, signal);
    await concludeExpiries({ ...context, idleChains: [] });
    const state = JSON.stringify(await readDepositState(site));
    if (state === before) return;
    before = state;
  }
  throw new Error("the programs change something whenever they run");
}

/** Decides on every deposit from all of its payments, which must not change what was decided from some of them. */
async function reconsiderAll({ deployment }: DepositSite): Promise<void> {
  const { context } = deployment.quiet.world;
  const rows = await deployment.database.sql<{ readonly id: string }>("select id from deposit");
  await context.db.transaction((tx) =>
    reconsider(
      tx,
      context,
      {
        depositIds: rows.map(({ id }) => id),
        transferIds: [],
        tips: new Map(),
        now: context.clock.now(),
        isWhole: true,
      },
      (facts) => facts,
    ),
  );
}

/** The follower and its session with the chain. */
type Following = { session: Session };

async function startAgain(site: DepositSite, following: Following): Promise<void> {
  await following.session.end();
  following.session = await hold(site.follower);
}

/** A chain that changes while it is read may lack what was asked for; the follower then starts again. */
async function takeFollowersStep(site: DepositSite, following: Following): Promise<string> {
  try {
    await takeStep(site.follower, following.session);
    return "step";
  } catch (error) {
    if (!(error instanceof Unavailable) || isDatabaseAway(error)) throw error;
    await startAgain(site, following);
    return "step: chain changed";
  }
}

/** Performs one action of a program. Resolves with its name, and how it was refused. */
async function perform(
  site: DepositSite,
  following: Following,
  program: DepositProgram,
  action: DepositAction,
): Promise<string> {
  const { world, back } = site.deployment.worldOf(program);
  const { context } = world;
  const { clock } = context;
  const principal = ownerOf(site.shop.accountId);
  const depositAt = (place: number) => present(site.deposits[place], `deposit ${place}`);
  const byMember = async (work: () => Promise<unknown>): Promise<string> => {
    try {
      await work();
      return action.do;
    } catch (error) {
      if (error instanceof Rejected) return `${action.do}: refused`;
      throw error;
    }
  };
  switch (action.do) {
    case "step":
      return takeFollowersStep(site, following);
    case "decide":
      await decideReported(context, signal);
      return action.do;
    case "expire":
      await concludeExpiries({ ...context, idleChains: [] });
      return action.do;
    case "cancel":
      return byMember(() => cancelDeposit(context, principal, depositAt(action.deposit).id));
    case "accept":
      return byMember(() => acceptDeposit(context, principal, depositAt(action.deposit).id));
    case "limit":
      return byMember(() =>
        changeDeposit(context, principal, depositAt(action.deposit).id, {
          label: undefined,
          trackingId: undefined,
          timeLimit: action.seconds,
        }),
      );
    case "refund":
    case "keep": {
      const isRefund = action.do === "refund";
      const attributes = {
        address: bitcoinPayee,
        fee_amount: "0.000002",
        ...(isRefund ? {} : { action: "partial", amount: "0.0003" }),
      };
      return outcomeOf(action.do, await back.resolve(depositAt(action.deposit), { attributes }));
    }
    case "create":
      await arrangeDeposit(world, site.shop, { keyspace: depositKeyspace, requested: "0.002" });
      return action.do;
    case "pay out": {
      const amount = formatDecimal(BigInt(action.satoshis), 8);
      const attributes = { amount, address: bitcoinPayee, fee_amount: "0.000002" };
      const options = { attributes, relationships: currencyIs(btc) };
      return outcomeOf(action.do, await postPayout(back.payouts, site.shop, options));
    }
    case "wait":
      clock.advance(action.seconds);
      return action.do;
    case "pay":
    case "mine":
    case "reorg":
    case "replace":
    case "double spend":
      changeChain(site, action);
      return action.do;
  }
}

type ChainAction = Extract<
  DepositAction,
  { readonly do: "pay" | "mine" | "reorg" | "replace" | "double spend" }
>;

function changeChain({ chain, deposits }: DepositSite, action: ChainAction): void {
  switch (action.do) {
    case "pay": {
      const address = present(deposits[action.deposit]?.address, "an address");
      const units = (requestedUnits * BigInt(action.percent)) / 100n;
      chain.pay({ address, addressType: null, tag: null }, units);
      return;
    }
    case "mine":
      chain.mine(action.blocks);
      return;
    case "reorg": {
      const depth = Math.min(action.depth, chain.tip().height);
      if (depth > 0) chain.reorg(depth, { mineAgain: !action.isLost });
      return;
    }
    case "replace": {
      const waiting = chain.waiting()[action.which];
      if (waiting !== undefined) chain.replace(waiting.txid);
      return;
    }
    case "double spend": {
      const newest = chain.blocks().at(-1)?.transactions.at(-1);
      if (newest === undefined) return;
      chain.reorg(1, { length: 1, mineAgain: false });
      chain.replace(newest.txid);
      chain.mine(1);
      return;
    }
  }
}

/** Server errors end the history. */
function outcomeOf(name: string, answer: ApiResponse): string {
  if (answer.status >= 500) throw new Error(answer.text);
  return answer.status < 400 ? name : `${name}: refused`;
}
