import assert from "node:assert/strict";
import { approvePayout } from "../../../src/payouts/approve/approve-payout.ts";
import { cancelPayout } from "../../../src/payouts/cancel-payout.ts";
import { pausePayouts, resumePayouts } from "../../../src/payouts/controls/pause.store.ts";
import { createPayoutPipeline } from "../../../src/payouts/send/run-payouts.ts";
import type { Database } from "../../../src/platform/db/database.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { Rejected } from "../../../src/platform/kernel/rejection.ts";
import { isDatabaseAway, Unavailable } from "../../../src/platform/kernel/unavailable.ts";
import { readBlock } from "../../support/block-reading.ts";
import { assertAllSettled, type RequestedPayout } from "../../support/check-payouts.ts";
import type { TestDatabase } from "../../support/database.ts";
import { createDiskSigner, type DiskSigner } from "../../support/disk-signer.ts";
import { cancelAsked, comeToRest, startPrograms } from "../../support/payout-programs.ts";
import { coinId, createPayoutSiteWith, type PayoutSite } from "../../support/payout-site.ts";
import { createSeeded } from "../../support/seeded.ts";
import { rememberEmptyTables } from "./empty-tables.ts";
import type { History } from "./history.ts";
import { lockWaitsOf, type ReadLockWaits } from "./lock-waits.ts";
import {
  approvingContext,
  cancellingContext,
  membersOf,
  signerProgram,
  workerContext,
} from "./payout-contexts.ts";
import { type PayoutAction, planPayouts } from "./payout-plan.ts";
import { requestPayout } from "./request-payout.ts";
import { createWeaver, type Weaver } from "./weaver.ts";
import { connectPrograms, type ProgramDatabase } from "./woven-database.ts";

/*
 * Histories of payouts whose statements interleave: two clients request, approve and cancel the same payouts, two workers draft, sign and
 * broadcast, a follower reads blocks, and an operator pauses. The calls to the node are turns too, and so are the operations of the
 * real signer on its disk, during which it dies. In the end each payout was created once, and was paid once or its funds were released.
 */

const programs = [
  "client",
  "colleague",
  "outside",
  "worker one",
  "worker other",
  "follower",
  "operator",
] as const;

type ProgramName = (typeof programs)[number];

/** What all histories share. */
export type PayoutDeployment = {
  readonly database: TestDatabase;
  readonly databases: ReadonlyMap<ProgramName, ProgramDatabase>;
  readonly readLockWaits: ReadLockWaits;
  readonly empty: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startPayoutDeployment(database: TestDatabase): Promise<PayoutDeployment> {
  const empty = await rememberEmptyTables(database);
  const databases = await connectPrograms(database, programs);
  return {
    database,
    databases,
    empty,
    readLockWaits: lockWaitsOf(database),
    stop: async () => {
      await Promise.all([...databases.values()].map(({ close }) => close()));
    },
  };
}

type World = {
  readonly site: PayoutSite<DiskSigner>;
  readonly requests: RequestedPayout[];
  /** Each worker's; it remembers what it has seen. */
  readonly pipelines: Map<string, (signal: AbortSignal) => Promise<void>>;
};

const { signal } = new AbortController();

export function payoutHistory(deployment: PayoutDeployment): History<PayoutAction> {
  const { database, databases } = deployment;
  return {
    plan: planPayouts,
    play: async (plan, schedule, steps) => {
      const actionsOf = (name: string): readonly PayoutAction[] =>
        plan.find(({ program }) => program === name)?.actions ?? [];
      await deployment.empty();
      const site = await createPayoutSiteWith(
        database,
        { funding: fundingOf(plan), lifetime: { seconds: 60 }, confirmations: 2 },
        (parts) => createDiskSigner(parts, createSeeded(signerSeedOf(plan))),
      );
      const world: World = { site, requests: [], pipelines: new Map() };
      await readBlock(site, database.db);
      await readBlock(site, database.db);
      for (const action of actionsOf("before"))
        await perform(world, "client", database.db, action, null);
      const weaver = createWeaver(deployment.readLockWaits);
      steps(weaver.steps);
      weaver.serve(signerProgram);
      site.signer.pauseBefore((what) =>
        weaver.outside(signerProgram, what, () => Promise.resolve()),
      );
      const counts: Record<string, number> = {};
      for (const [program, { db, pauseFor }] of databases) {
        pauseFor(weaver);
        weaver.start(program, async () => {
          for (const action of actionsOf(program)) {
            const work = () => perform(world, program, db, action, weaver);
            const done =
              program === "outside"
                ? await weaver.outside(program, JSON.stringify(action), work)
                : await work();
            counts[done] = (counts[done] ?? 0) + 1;
          }
        });
      }
      try {
        await weaver.run(schedule);
      } finally {
        for (const { pauseFor } of databases.values()) pauseFor(null);
        site.signer.pauseBefore(null);
      }
      await assertNoBalanceIsNegative(database);
      const rest = startPrograms(site);
      rest.requests.push(...world.requests.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id))));
      await cancelWaiting(world, rest);
      await comeToRest(rest);
      await assertAllSettled(site, rest.requests);
      return {
        ...counts,
        operations: weaver.steps.length,
        waits: weaver.steps.filter(({ hasWaited }) => hasWaited).length,
        "signer died": site.signer.counts().deaths,
        "signer lost power": site.signer.counts().powerLosses,
        deadlocks: weaver.steps.filter(({ failure }) => failure === "40P01").length,
      };
    },
  };
}

/** What pays: the same plan always uses the same kind of chain. */
function fundingOf(plan: readonly { readonly actions: readonly PayoutAction[] }[]) {
  const requested = plan.flatMap(({ actions }) => actions).find((one) => one.do === "request");
  const kinds = ["coins", "account", "expiring"] as const;
  return kinds[(requested?.units ?? 0) % kinds.length] ?? "coins";
}

function signerSeedOf(plan: readonly { readonly actions: readonly PayoutAction[] }[]): number {
  const set = plan.flatMap(({ actions }) => actions).find((one) => one.do === "set up the signer");
  return set?.seed ?? 1;
}

/** What waits for an approval at the end will not get it. */
async function cancelWaiting(
  { site }: World,
  rest: ReturnType<typeof startPrograms>,
): Promise<void> {
  const waiting = await site.database.sql<{ readonly id: string }>(
    "select id from payout where stage = 'waiting'",
  );
  for (const { id } of waiting)
    await cancelAsked(rest, rest.requests.find((one) => one.id === id) ?? null);
}

async function assertNoBalanceIsNegative({ sql }: TestDatabase): Promise<void> {
  const rows = await sql(
    "select * from wallet_balance where available < 0 or held < 0 or deficit <> 0",
  );
  assert.deepEqual(rows, [], "a balance is negative");
}

/** Performs one action of a program. Resolves with its name, and how it was refused. */
async function perform(
  world: World,
  program: ProgramName,
  db: Database,
  action: PayoutAction,
  weaver: Weaver | null,
): Promise<string> {
  try {
    return await attempt(world, program, db, action, weaver);
  } catch (error) {
    if (error instanceof Rejected) return `${action.do}: refused`;
    if (isDatabaseAway(error) || !(error instanceof Unavailable)) throw error;
    return `${action.do}: unavailable`;
  }
}

async function attempt(
  world: World,
  program: ProgramName,
  db: Database,
  action: PayoutAction,
  weaver: Weaver | null,
): Promise<string> {
  const { site, requests } = world;
  const { chain, clock, faults } = site;
  const { owner, approver } = membersOf(site);
  switch (action.do) {
    case "request":
      await request(world, db, action);
      break;
    case "cancel": {
      const found = requests.find(({ number }) => number === action.payout);
      if (found === undefined) return "cancel: nothing there";
      if ((await cancelPayout(cancellingContext(site, db), owner, found.id)) !== null)
        found.isCancelled = true;
      break;
    }
    case "approve": {
      const found = requests.find(({ number }) => number === action.payout);
      if (found === undefined) return "approve: nothing there";
      await approvePayout(approvingContext(site, db), approver, found.id);
      break;
    }
    case "pause":
      await db.transaction((tx) =>
        pausePayouts(tx, "kill_switch", "all", { reason: "woven", by: null, now: clock.now() }),
      );
      break;
    case "resume":
      await db.transaction((tx) => resumePayouts(tx, "kill_switch", "all", clock.now()));
      break;
    case "pass": {
      const context = () =>
        createPayoutPipeline(workerContext(site, program, db, present(weaver, "a weaver")));
      const pipeline = world.pipelines.get(program) ?? context();
      world.pipelines.set(program, pipeline);
      await pipeline(signal);
      break;
    }
    case "read":
      await readBlock(site, db);
      break;
    case "mine":
      chain.mine({ empty: action.isEmpty });
      break;
    case "wait":
      clock.advance(action.seconds);
      break;
    case "reorg":
      if (chain.tip().height > action.depth + 1)
        chain.reorg(action.depth, { forgets: action.forgets, mines: !action.forgets });
      break;
    case "forget": {
      const waiting = chain.mempool()[action.which];
      if (waiting !== undefined) chain.forget(waiting.txid);
      break;
    }
    case "set up the signer":
      break;
    case "signer dies":
      Object.assign(site.signer.faults, { diesAt: action.at, losesPower: action.losesPower });
      break;
    case "signer's answers":
      site.signer.faults.answer = action.fate;
      break;
    case "broadcasts":
      faults.broadcast = action.fate;
      break;
  }
  return action.do;
}

type Request = Extract<PayoutAction, { readonly do: "request" }>;

/** Requests a payout of the coin; the same number sent again has the same idempotency key. */
async function request(
  { site, requests }: World,
  db: Database,
  { payout: number, units, waits }: Request,
): Promise<void> {
  const payout = await requestPayout(site, db, {
    number,
    currency: coinId,
    units: BigInt(units),
    waits,
  });
  assert.ok(
    !requests.some((one) => one.number === number),
    `request ${number} has created two payouts`,
  );
  requests.push({
    number,
    id: payout.id,
    currency: coinId,
    units: BigInt(units),
    isLost: false,
    isCancelled: false,
  });
}
