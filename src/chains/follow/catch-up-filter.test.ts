import { beforeAll, describe, expect, it } from "vitest";
import { assertSeenAsOnChain } from "../../../test/support/compare-with-chain.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { followedChain } from "../../../test/support/followed-chain.ts";
import {
  createRecordingTables,
  issueAddress,
  issueChange,
  openOwnTxids,
  seenTransfers,
  storeOwn,
} from "../../../test/support/recording-sink.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/* Old blocks are matched in memory without missing a payment: a chain with payments below, at and above the filter's limit. */

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

describe("the filter for catching up", () => {
  it("skips old blocks that pay none of our addresses and misses no address issued during the catch-up", async () => {
    const followed = followedChain(database, { finality: { kind: "probable", reorgLimit: 5 } });
    const { node, clock, issue, catchUp } = followed;
    const context = { ...followed.context, ownTxids: openOwnTxids };
    const { addressing } = node.adapter;
    const unwatched = addressing.depositAt(9, null);
    const early = await issue(1);
    const change = await issueChange(db, node.adapter, 0, formatTimestamp(clock.now()));
    for (let block = 1; block <= 100; block += 1) {
      node.pay(unwatched, 1n);
      if (block % 30 === 0) node.pay(early, 1n);
      // Two of our own transactions: one with change, one without.
      if (block === 40) await storeOwn(db, node.adapter.chain, node.pay(change, 1n));
      if (block === 50) await storeOwn(db, node.adapter.chain, node.pay(unwatched, 1n));
      node.mine(1);
    }
    let questions = 0;
    const counting = {
      ...context,
      settings: { ...context.settings, filterFromBlocks: 50 },
      db: {
        ...db,
        query: ((statement, values) => {
          if (statement.name === "watched-address.among") questions += 1;
          return db.query(statement, values);
        }) satisfies typeof db.query,
      },
    };
    // During the catch-up an address is issued and paid, and a reorg moves the payment below the tip that the filter was loaded
    // for.
    node.faults.beforeAnswer = async (question) => {
      if (question !== "readBlock" || node.tip().height > 100) return;
      node.mine(1);
      await issueAddress(db, context.adapter, 2, formatTimestamp(clock.now()));
      node.pay(addressing.depositAt(2, null), 1n);
      node.reorg(4);
    };
    await catchUp(counting);
    node.faults.beforeAnswer = null;
    await catchUp(context);
    await assertSeenAsOnChain(database, node, new Set([1, 2]));
    expect((await seenTransfers(database, node.adapter.chain)).length).toBe(4);
    // Three blocks that pay, one with change, and those within a reorg's reach.
    expect(questions).toBeLessThan(12);
  });
});
