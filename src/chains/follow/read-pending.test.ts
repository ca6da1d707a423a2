import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { followedChain, hold, stepUntilIdle } from "../../../test/support/followed-chain.ts";
import {
  createRecordingTables,
  recordingSink,
  seenTransfers,
} from "../../../test/support/recording-sink.ts";
import { readingBy } from "../../../test/support/simulated-chain.ts";
import { readCursor } from "./follower.store.ts";
import { takeStep } from "./take-step.ts";

/* Payments outside blocks, their outcomes, and when everything before a time has been read, including races with new blocks. */

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

describe("pending payments", () => {
  it("are reported once while pending and become the transfer of their block", async () => {
    const { node, context, issue } = followedChain(database);
    const address = await issue(1);
    const reported: string[] = [];
    const listening = {
      ...context,
      sink: {
        ...recordingSink,
        pendingSeen: (...args: Parameters<typeof recordingSink.pendingSeen>) => {
          reported.push(...args[2].map((hit) => hit.transfer.key.txid));
          return recordingSink.pendingSeen(...args);
        },
      },
    };
    const session = await hold(listening);
    const first = node.pay(address, 1n);
    await stepUntilIdle(listening, session);
    const second = node.pay(address, 1n);
    await stepUntilIdle(listening, session);
    await stepUntilIdle(listening, session);
    expect(reported).toEqual([first, second]);
    expect(
      (await seenTransfers(database, node.adapter.chain)).map((transfer) => transfer.state),
    ).toEqual(["pending", "pending"]);
    node.mine(1);
    await stepUntilIdle(listening, session);
    expect(
      (await seenTransfers(database, node.adapter.chain)).map((transfer) => transfer.state),
    ).toEqual(["included", "included"]);
    node.reorg(1, { mineAgain: false });
    await stepUntilIdle(listening, session);
    expect(reported.slice(2).toSorted()).toEqual([first, second].toSorted());
    await session.end();
  });

  it("are canceled once another transaction that spends their coins is in a block", async () => {
    const { node, issue, catchUp } = followedChain(database);
    const address = await issue(1);
    const [kept, lost] = [node.pay(address, 1n), node.pay(address, 2n)];
    const forgotten = node.pay(address, 3n);
    await catchUp();
    node.replace(lost);
    node.evict(forgotten);
    await catchUp();
    const states = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await seenTransfers(database, node.adapter.chain)).map(({ txid, state }) => [txid, state]),
      );
    expect(await states()).toEqual({
      [kept]: "pending",
      [lost]: "pending",
      [forgotten]: "pending",
    });
    node.mine(1);
    await catchUp();
    expect(await states()).toEqual({
      [kept]: "included",
      [lost]: "cancelled",
      [forgotten]: "pending",
    });
  });

  it("are queried again at the same block while reports wait for a decision", async () => {
    const { node, context, issue } = followedChain(database);
    const session = await hold(context);
    const lost = node.pay(await issue(1), 1n);
    await stepUntilIdle(context, session);
    node.replace(lost);
    node.mine(1);
    // As if the block had orphaned the payment's block while the deposit was locked.
    const deferring = {
      ...context,
      sink: {
        ...recordingSink,
        pendingTransfers: () => Promise.resolve({ transfers: [], isComplete: false }),
      },
    };
    await stepUntilIdle(deferring, session);
    const state = async () => (await seenTransfers(database, node.adapter.chain))[0]?.state;
    expect(await state()).toBe("pending");
    await stepUntilIdle(context, session);
    expect(await state()).toBe("cancelled");
    await session.end();
  });

  it("are dropped when no node has known them for two weeks", async () => {
    const { node, clock, issue, catchUp } = followedChain(database);
    const forgotten = node.pay(await issue(1), 3n);
    await catchUp();
    node.evict(forgotten);
    const stateAfter = async (seconds: number): Promise<string | undefined> => {
      clock.advance(seconds);
      node.mine(1, { empty: true });
      await catchUp();
      const [transfer] = await seenTransfers(database, node.adapter.chain);
      return transfer?.state;
    };
    expect(await stateAfter(14 * 86_400 - 60)).toBe("pending");
    expect(await stateAfter(120)).toBe("cancelled");
  });

  it("are queried once per transaction, not once per output", async () => {
    const { node, issue, catchUp } = followedChain(database);
    const [one, other] = [await issue(1), await issue(2)];
    const txid = node.submit([
      { to: one, units: 1n },
      { to: one, units: 2n },
      { to: other, units: 3n },
    ]);
    await catchUp();
    expect(await seenTransfers(database, node.adapter.chain)).toHaveLength(3);
    node.replace(txid);
    node.mine(1);
    const before = node.callCounts.get("statusOf") ?? 0;
    await catchUp();
    expect(node.callCounts.get("statusOf")).toBe(before + 1);
    const states = (await seenTransfers(database, node.adapter.chain)).map(({ state }) => state);
    expect(states).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  it("are reported later when the node loses them before their senders are read", async () => {
    const { node, context, issue } = followedChain(database);
    const address = await issue(1);
    const session = await hold(context);
    const txid = node.pay(address, 1n);
    const { senders } = node.adapter.reader;
    const reader = { ...node.adapter.reader, senders: () => Promise.resolve(new Map()) };
    await stepUntilIdle({ ...context, adapter: readingBy(context.adapter, reader) }, session);
    expect(await seenTransfers(database, node.adapter.chain)).toEqual([]);
    expect(senders).toBe(node.adapter.reader.senders);
    await stepUntilIdle(context, session);
    expect(await seenTransfers(database, node.adapter.chain)).toMatchObject([{ txid }]);
    await session.end();
  });
});

describe("being caught up", () => {
  it("is dated by the time before the node was read", async () => {
    const { node, clock, catchUp } = followedChain(database);
    node.mine(3);
    await catchUp();
    const before = clock.now();
    node.faults.beforeAnswer = () => {
      clock.advance(10);
    };
    await catchUp();
    const cursor = await readCursor(db, node.adapter.chain);
    expect(cursor?.caughtUpAt).toBeGreaterThan(before);
    // Of the five or more answers after the tip, each took ten seconds.
    expect(clock.now() - (cursor?.caughtUpAt ?? 0)).toBeGreaterThan(15_000_000);
  });

  it("is not recorded when a payment moved into a block in between", async () => {
    const { node, context, clock, issue } = followedChain(database);
    const address = await issue(1);
    node.mine(3);
    const session = await hold(context);
    await stepUntilIdle(context, session);
    const claimed = (await readCursor(db, node.adapter.chain))?.caughtUpAt;
    clock.advance(60);
    const txid = node.pay(address, 1n);
    node.faults.beforeAnswer = (question) => {
      if (question === "pendingTransfers" && node.waiting().length > 0) node.mine(1);
    };
    expect(await takeStep(context, session)).toBe("moved");
    expect(await seenTransfers(database, node.adapter.chain)).toEqual([]);
    expect((await readCursor(db, node.adapter.chain))?.caughtUpAt).toBe(claimed);
    await stepUntilIdle(context, session);
    expect(await seenTransfers(database, node.adapter.chain)).toMatchObject([
      { txid, state: "included" },
    ]);
    expect((await readCursor(db, node.adapter.chain))?.caughtUpAt).toBe(clock.now());
    await session.end();
  });

  it("is not recorded for a node that is behind us", async () => {
    const { node, clock, catchUp } = followedChain(database);
    node.mine(3);
    await catchUp();
    const claimed = (await readCursor(db, node.adapter.chain))?.caughtUpAt;
    clock.advance(60);
    node.faults.lag = 1;
    await catchUp();
    expect((await readCursor(db, node.adapter.chain))?.caughtUpAt).toBe(claimed);
  });
});
