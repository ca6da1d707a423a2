import { beforeAll, describe, expect, it } from "vitest";
import type { BlockSink } from "../../src/chains/block-sink.ts";
import type { FollowerContext } from "../../src/chains/follow/follower-session.ts";
import type { ChainReader } from "../../src/chains/port.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { assertSeenAsOnChain } from "../support/compare-with-chain.ts";
import { useDatabase } from "../support/database.ts";
import { followedChain, hold, stepUntilIdle } from "../support/followed-chain.ts";
import { createMortal } from "../support/mortal.ts";
import {
  createRecordingTables,
  issueChange,
  openOwnTxids,
  storeOwn,
} from "../support/recording-sink.ts";
import { readingBy } from "../support/simulated-chain.ts";

/*
 * The follower is killed between any two steps: before and after every request to the node, every statement, every
 * call of a feature, and every commit. Another one takes over each time, and the final record matches the chain.
 */

const database = useDatabase();
beforeAll(() => createRecordingTables(database));

/** A follower that may die at every request and call. */
function mortal(context: FollowerContext, deathAt: number) {
  const { around, database: mortalDatabase, isDead } = createMortal(deathAt);
  const each = <Part extends ChainReader | BlockSink>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, member]) => [
        name,
        typeof member === "function"
          ? (...args: unknown[]) =>
              around(() => (member as (...args: unknown[]) => Promise<unknown>)(...args))
          : member,
      ]),
    ) as unknown as Part;
  const adapter = readingBy(context.adapter, each(context.adapter.reader));
  const db = mortalDatabase(context.db);
  return { context: { ...context, db, adapter, sink: each(context.sink) }, isDead };
}

/**
 * A history with payments inside and outside of blocks, a reorg, a double spend, spends of our own, and an empty
 * block.
 */
async function live(deathAt: number): Promise<boolean> {
  const { node, context: observing, clock, issue } = followedChain(database);
  const context = { ...observing, ownTxids: openOwnTxids };
  const { chain } = node.adapter;
  const [first, second] = [await issue(1), await issue(2)];
  const change = await issueChange(database.db, node.adapter, 0, formatTimestamp(clock.now()));
  let died = false;
  const chapter = async (): Promise<void> => {
    const attempt = mortal({ ...context, holder: `until ${deathAt}` }, died ? Infinity : deathAt);
    try {
      const session = await hold(attempt.context);
      await stepUntilIdle(attempt.context, session);
      await session.end();
    } catch (error) {
      if (!attempt.isDead()) throw error;
      died = true;
      // No one returns a dead process's lease; it expires.
      clock.advance(context.settings.leaseMs / 1000 + 1);
      await chapter();
    }
  };
  node.pay(first, 1n);
  await storeOwn(database.db, chain, node.submit([{ to: change, units: 5n }]));
  node.mine(2);
  await storeOwn(database.db, chain, node.submit([{ to: change, units: 6n }], { fails: true }));
  const unlucky = node.pay(second, 2n);
  await chapter();
  node.submit([
    { to: first, units: 3n },
    { to: second, units: 4n },
  ]);
  node.replace(unlucky);
  node.mine(1);
  node.reorg(2, { length: 3, mineAgain: false });
  await chapter();
  node.mine(1);
  await chapter();
  await assertSeenAsOnChain(database, node, new Set([1, 2]));
  return died;
}

describe("crashes of the follower", () => {
  it("lead to the same record, whenever a follower is killed", async () => {
    let deaths = 0;
    while (await live(deaths + 1)) deaths += 1;
    // Far fewer moments would mean that the history was not followed.
    expect(deaths).toBeGreaterThan(40);
  }, 900_000);
});
