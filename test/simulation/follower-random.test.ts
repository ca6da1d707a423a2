import { beforeAll, describe, expect, it } from "vitest";
import {
  type FollowerContext,
  LeaseLost,
  type Session,
} from "../../src/chains/follow/follower-session.ts";
import { takeStep } from "../../src/chains/follow/take-step.ts";
import type { Destination } from "../../src/chains/port.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { assertSeenAsOnChain } from "../support/compare-with-chain.ts";
import { useDatabase } from "../support/database.ts";
import {
  type FollowedChain,
  followedChain,
  hangingClock,
  hold,
} from "../support/followed-chain.ts";
import { fc } from "../support/property.ts";
import {
  createRecordingTables,
  issueChange,
  openOwnTxids,
  storeOwn,
} from "../support/recording-sink.ts";

/*
 * Random histories of a chain, its node, and two followers that take the lease from each other. At the end, the
 * record must match the best chain. The seed of a failing history is printed; SLUICE_TEST_SEED repeats it or selects
 * others; SLUICE_SIMULATION_RUNS runs longer.
 */

const database = useDatabase();
beforeAll(() => createRecordingTables(database));

type Event =
  | { readonly kind: "issue" }
  | { readonly kind: "pay"; readonly to: number; readonly twice: boolean; readonly fails: boolean }
  /** A transaction of our own, with change. */
  | { readonly kind: "spend"; readonly to: number; readonly fails: boolean }
  | { readonly kind: "replace"; readonly which: number }
  | { readonly kind: "evict"; readonly which: number }
  | { readonly kind: "mine"; readonly blocks: number; readonly empty: boolean }
  | {
      readonly kind: "reorg";
      readonly depth: number;
      readonly longer: number;
      readonly mineAgain: boolean;
    }
  | { readonly kind: "rollback"; readonly depth: number }
  | { readonly kind: "outage"; readonly isOn: boolean }
  | { readonly kind: "lag"; readonly blocks: number }
  | { readonly kind: "race"; readonly question: string; readonly reorgs: boolean }
  /** In the middle of the next step, the other one takes over the expired lease and goes on. */
  | { readonly kind: "overtake"; readonly question: string; readonly steps: number }
  | { readonly kind: "follow"; readonly who: 0 | 1; readonly steps: number }
  | { readonly kind: "hang"; readonly who: 0 | 1 };

const questions = [
  ...[
    "tip",
    "headerAt",
    "readBlock",
    "receiptsIn",
    "pendingTransfers",
    "senders",
    "statusOf",
    "headerByHash",
  ],
];
const small = fc.integer({ min: 1, max: 6 });

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("issue" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("pay" as const),
      to: fc.nat(6),
      twice: fc.boolean(),
      fails: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("spend" as const),
      to: fc.nat(6),
      fails: fc.integer({ min: 0, max: 4 }).map((roll) => roll === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("replace" as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("evict" as const), which: fc.nat(9) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("mine" as const),
      blocks: small,
      empty: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("reorg" as const),
      depth: small,
      longer: fc.nat(2),
      mineAgain: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rollback" as const), depth: small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("outage" as const), isOn: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("lag" as const), blocks: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("race" as const),
      question: fc.constantFrom(...questions),
      reorgs: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("overtake" as const),
      question: fc.constantFrom(...questions),
      steps: fc.nat(3),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("follow" as const),
      who: fc.constantFrom(0 as const, 1 as const),
      steps: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("hang" as const),
      who: fc.constantFrom(0 as const, 1 as const),
    }),
  },
);

type World = {
  readonly followed: FollowedChain;
  readonly contexts: readonly [FollowerContext, FollowerContext];
  readonly sessions: [Session | null, Session | null];
  /** Who takes a step. */
  active: 0 | 1 | null;
  readonly issued: Set<number>;
  /** How many change addresses are in use. */
  changes: number;
};

/** Only addresses in use, and ones that never will be: addresses are paid after they were shown. */
function payeeOf({ followed, issued }: World, to: number): Destination {
  return followed.node.adapter.addressing.depositAt(to < issued.size ? to : to + 100, null);
}

async function act(world: World, event: Event): Promise<void> {
  const { node, clock } = world.followed;
  clock.advance(1);
  switch (event.kind) {
    case "issue": {
      const index = world.issued.size;
      await world.followed.issue(index);
      world.issued.add(index);
      return;
    }
    case "pay": {
      const output = { to: payeeOf(world, event.to), units: 1n };
      node.submit(event.twice ? [output, output] : [output], { fails: event.fails });
      return;
    }
    case "spend": {
      const issuedAt = formatTimestamp(clock.now());
      const change = await issueChange(database.db, node.adapter, world.changes, issuedAt);
      world.changes += 1;
      const outputs = [payeeOf(world, event.to), change].map((to) => ({ to, units: 1n }));
      const txid = node.submit(outputs, { fails: event.fails });
      await storeOwn(database.db, node.adapter.chain, txid);
      return;
    }
    case "replace":
    case "evict": {
      const waiting = node.waiting()[event.which];
      if (waiting !== undefined) node[event.kind](waiting.txid);
      return;
    }
    case "mine":
      node.mine(event.blocks, { empty: event.empty });
      return;
    case "reorg": {
      const depth = Math.min(event.depth, node.tip().height);
      if (depth > 0)
        node.reorg(depth, { length: depth + event.longer, mineAgain: event.mineAgain });
      return;
    }
    case "rollback": {
      const depth = Math.min(event.depth, node.tip().height);
      if (depth > 0) node.rollback(depth);
      return;
    }
    case "outage":
      node.faults.outage = event.isOn;
      return;
    case "lag":
      node.faults.lag = event.blocks;
      return;
    case "race":
      node.faults.beforeAnswer = (question) => {
        if (question !== event.question) return;
        node.faults.beforeAnswer = null;
        if (event.reorgs && node.tip().height > 2) node.reorg(2);
        else node.mine(1);
      };
      return;
    case "overtake":
      node.faults.beforeAnswer = async (question) => {
        if (question !== event.question || world.active === null) return;
        node.faults.beforeAnswer = null;
        const other = world.active === 0 ? 1 : 0;
        clock.advance(world.contexts[other].settings.leaseMs / 1000 + 1);
        await world.sessions[other]?.end();
        world.sessions[other] = null;
        await follow(world, other, event.steps);
      };
      return;
    case "follow":
      await follow(world, event.who, event.steps);
      return;
    case "hang":
      // It pauses for longer than its lease, then continues.
      clock.advance(world.contexts[event.who].settings.leaseMs / 1000 + 1);
      return;
  }
}

/** Ending a session other than by a lost lease or an unresponsive node is a bug and fails the history. */
async function follow(world: World, who: 0 | 1, steps: number): Promise<void> {
  const { active } = world;
  world.active = who;
  try {
    const session = (world.sessions[who] ??= await hold(world.contexts[who]));
    for (let step = 0; step < steps; step += 1) {
      const before = session.cursor.hash;
      await takeStep(world.contexts[who], session);
      if (session.cursor.hash !== before) await assertHasLease(session);
    }
  } catch (error) {
    if (!(error instanceof LeaseLost) && !(error instanceof Unavailable)) throw error;
    await world.sessions[who]?.end();
    world.sessions[who] = null;
  } finally {
    world.active = active;
  }
}

/** Nobody has taken over while the session wrote. */
async function assertHasLease({ fence: { chain, fence } }: Session): Promise<void> {
  const [row] = await database.sql<{ fence: bigint }>(
    "select fence from chain_cursor where chain = $1",
    [chain],
  );
  expect(String(row?.fence), "a follower wrote after another one had taken over").toBe(fence);
}

async function run(events: readonly Event[]): Promise<void> {
  const followed = followedChain(database, { finality: { kind: "probable", reorgLimit: 200 } });
  const clock = hangingClock(followed.clock);
  const world: World = {
    followed,
    contexts: [
      { ...followed.context, ownTxids: openOwnTxids, clock, holder: "first" },
      { ...followed.context, ownTxids: openOwnTxids, clock, holder: "second" },
    ],
    sessions: [null, null],
    active: null,
    issued: new Set(),
    changes: 0,
  };
  for (const each of events) await act(world, each);

  Object.assign(followed.node.faults, { outage: false, lag: 0, beforeAnswer: null });
  for (const session of world.sessions) await session?.end();
  followed.clock.advance(followed.context.settings.leaseMs / 1000 + 1);
  // Higher than anything seen so far, so the node is not merely behind.
  const [peak] = await database.sql<{ height: string | null }>(
    "select max(height) as height from chain_block where chain = $1",
    [followed.node.adapter.chain],
  );
  followed.node.mine(Math.max(1, Number(peak?.height ?? 0) + 1 - followed.node.tip().height));
  await followed.catchUp({ ...followed.context, ownTxids: openOwnTxids });
  await assertSeenAsOnChain(database, followed.node, world.issued);
}

describe("random chain histories", () => {
  it("end with a record that matches the best chain", async () => {
    const numRuns = Number(process.env["SLUICE_SIMULATION_RUNS"] ?? 60);
    let histories = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 10, maxLength: 50, size: "max" }),
        async (events) => {
          histories += 1;
          await run(events);
        },
      ),
      { numRuns },
    );
    expect(histories).toBeGreaterThanOrEqual(numRuns);
  }, 900_000);
});
