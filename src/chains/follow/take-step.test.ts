import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { followedChain, hold } from "../../../test/support/followed-chain.ts";
import {
  createRecordingTables,
  recordingSink,
  seenBlocks,
  seenTransfers,
} from "../../../test/support/recording-sink.ts";
import { scannedRanges } from "../../../test/support/scanned-ranges.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { readCursor } from "./follower.store.ts";

/*
 * One follower against a simulated chain and a real database, step by step. The recording sink refuses a block out of
 * order and a duplicate delivery; what it wrote is compared with the node's best chain.
 */

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

describe("catching up", () => {
  it("reads every block once, in order, and every payment to an address in use", async () => {
    const { node, issue, catchUp, reports } = followedChain(database);
    const [first, second] = [await issue(1), await issue(2)];
    const unwatched = node.adapter.addressing.depositAt(3, null);
    node.mine(10);
    const paid = node.pay(first, 500n);
    node.pay(unwatched, 900n);
    node.mine(7);
    const twice = node.submit([
      { to: second, units: 1n },
      { to: unwatched, units: 2n },
      { to: second, units: 3n },
    ]);
    node.submit([{ to: first, units: 4n }], { fails: true });
    node.mine(3);
    await catchUp();

    expect((await seenBlocks(database, node.adapter.chain)).map((block) => block.hash)).toEqual(
      node.blocks().map((block) => block.ref.hash),
    );
    expect(
      (await seenTransfers(database, node.adapter.chain)).map(
        ({ txid, index, depositId, state, height }) => [txid, index, depositId, state, height],
      ),
    ).toEqual([
      [paid, "0", "1", "included", "11"],
      [twice, "0", "2", "included", "18"],
      [twice, "2", "2", "included", "18"],
    ]);
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 0, to: 20 }]);
    expect(reports.filter((report) => report.event === "appended").length).toBe(21);
    expect(reports.at(-1)).toMatchObject({ state: "atTip", height: 20, nodeHeight: 20 });
  });

  it("continues from the cursor after an outage, not from the tip", async () => {
    const { node, context, issue, catchUp } = followedChain(database);
    const address = await issue(1);
    node.mine(5);
    await catchUp();
    node.faults.outage = true;
    node.pay(address, 5n);
    node.mine(50);
    await expect(hold(context)).rejects.toThrow(Unavailable);
    node.faults.outage = false;
    node.mine(50);
    await catchUp();
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 0, to: 105 }]);
    expect((await seenTransfers(database, node.adapter.chain)).length).toBe(1);
  });

  it("reads senders only when one of our addresses was paid", async () => {
    const { node, issue, catchUp } = followedChain(database);
    const address = await issue(1);
    node.mine(20);
    await catchUp();
    expect(node.callCounts.get("senders")).toBeUndefined();
    node.pay(address, 1n);
    node.mine(1);
    await catchUp();
    expect(node.callCounts.get("senders")).toBe(1);
  });

  it("commits nothing of a block whose consequences fail", async () => {
    const { node, context, issue, catchUp } = followedChain(database);
    const address = await issue(1);
    node.mine(2);
    node.pay(address, 1n);
    node.mine(2);
    const failing = {
      ...context,
      sink: {
        ...recordingSink,
        appended: async (...args: Parameters<typeof recordingSink.appended>) => {
          await recordingSink.appended(...args);
          if (args[2].height === 3) throw new Error("the feature fails");
        },
      },
    };
    await expect(catchUp(failing)).rejects.toThrow("the feature fails");
    expect(await readCursor(db, node.adapter.chain)).toMatchObject({ height: 2 });
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 0, to: 2 }]);
    expect((await seenBlocks(database, node.adapter.chain)).length).toBe(3);
    expect(await seenTransfers(database, node.adapter.chain)).toEqual([]);
    await catchUp();
    expect((await seenTransfers(database, node.adapter.chain)).length).toBe(1);
  });
});
