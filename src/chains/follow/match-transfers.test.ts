import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { followedChain, hold, stepUntilIdle } from "../../../test/support/followed-chain.ts";
import {
  createRecordingTables,
  issueAddress,
  seenTransfers,
} from "../../../test/support/recording-sink.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/* The race between issuing an address and reading the block that pays it. */

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

describe("an address issued while a block propagates", () => {
  it("is found in that block, because it is paid only after it was issued", async () => {
    const { node, context, clock, catchUp } = followedChain(database);
    node.mine(3);
    let txid = "";
    node.faults.beforeAnswer = async (question) => {
      if (question !== "tip" || txid !== "") return;
      txid = "claimed";
      await issueAddress(db, context.adapter, 77, formatTimestamp(clock.now()));
      txid = node.pay(node.adapter.addressing.depositAt(77, null), 5n);
      node.mine(1);
    };
    await catchUp();
    expect(await seenTransfers(database, node.adapter.chain)).toMatchObject([
      { txid, state: "included" },
    ]);
  });

  it("is found in every later block when its issue commits afterwards", async () => {
    const { node, context, clock } = followedChain(database);
    const session = await hold(context);
    node.mine(3);
    await db.transaction(async (tx) => {
      await issueAddress(tx, context.adapter, 77, formatTimestamp(clock.now()));
      await stepUntilIdle(context, session);
      node.mine(1);
      await stepUntilIdle(context, session);
    });
    const txid = node.pay(node.adapter.addressing.depositAt(77, null), 5n);
    node.mine(1);
    await stepUntilIdle(context, session);
    await session.end();
    expect(await seenTransfers(database, node.adapter.chain)).toMatchObject([
      { txid, state: "included" },
    ]);
  });
});
