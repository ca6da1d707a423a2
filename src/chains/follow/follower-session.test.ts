import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  followedChain,
  hangingClock,
  hold,
  stepUntilIdle,
} from "../../../test/support/followed-chain.ts";
import { createRecordingTables, seenTransfers } from "../../../test/support/recording-sink.ts";
import { scannedRanges } from "../../../test/support/scanned-ranges.ts";
import { createSimulatedChain } from "../../../test/support/simulated-chain.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type BlockContent, type ChainReader, WrongNetwork } from "../port.ts";
import { readCursor } from "./follower.store.ts";
import { type FollowerContext, LeaseLost } from "./follower-session.ts";
import { takeStep } from "./take-step.ts";

/* Where a chain is begun, which node is refused, and who may work: a simulated chain and a real database. */

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

/** The same follower on a node that has no block below this height but block 0, which names the network. */
function keepingBlocksFrom(context: FollowerContext, lowest: number): FollowerContext {
  const { reader } = context.adapter;
  const kept: ChainReader = {
    ...reader,
    headerAt: async (height, signal) => {
      if (height > 0 && height < lowest)
        throw new Unavailable("node", `keeps blocks from ${lowest} on`);
      return reader.headerAt(height, signal);
    },
  };
  return { ...context, adapter: { ...context.adapter, reader: kept } };
}

describe("the first start", () => {
  it("begins at the node's tip", async () => {
    const { node, catchUp } = followedChain(database, { startHeight: null });
    node.mine(40);
    await catchUp();
    node.mine(2);
    await catchUp();
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 40, to: 42 }]);
  });

  it("begins at the configured height, also above the tip", async () => {
    const { node, catchUp } = followedChain(database, { startHeight: 7 });
    node.mine(4);
    await catchUp();
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([]);
    node.mine(6);
    await catchUp();
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 7, to: 10 }]);
  });

  it("reads back to the first address in use if the node was unreachable until now", async () => {
    const { node, clock, issue, catchUp } = followedChain(database, { startHeight: null });
    for (let hours = 0; hours < 30; hours += 1) {
      clock.advance(3600);
      node.mine(1);
    }
    const address = await issue(1);
    node.pay(address, 8n);
    for (let hours = 0; hours < 10; hours += 1) {
      clock.advance(3600);
      node.mine(1);
    }
    await catchUp();
    const [range] = await scannedRanges(db, node.adapter.chain);
    expect(range?.from).toBeGreaterThan(25);
    expect(range?.from).toBeLessThan(30);
    expect(await seenTransfers(database, node.adapter.chain)).toMatchObject([{ height: "31" }]);
  });

  it("reads back on a node that keeps recent blocks only, and asks for no block far below", async () => {
    const { node, clock, issue, context, catchUp } = followedChain(database, { startHeight: null });
    node.mine(1_000);
    clock.advance(24 * 3600);
    const address = await issue(1);
    for (let hours = 0; hours < 10; hours += 1) {
      clock.advance(3600);
      node.mine(1);
    }
    node.pay(address, 8n);
    node.mine(1);
    const { chain } = node.adapter;
    await catchUp(keepingBlocksFrom(context, 990));
    const [range] = await scannedRanges(db, chain);
    expect(range).toEqual({ from: 1_000, to: 1_011 });
    expect(await seenTransfers(database, chain)).toMatchObject([{ height: "1011" }]);
  });

  it("does not begin on a node that lacks the blocks since the first address in use", async () => {
    const { node, clock, issue, context, catchUp } = followedChain(database, { startHeight: null });
    await issue(1);
    for (let hours = 0; hours < 100; hours += 1) {
      clock.advance(3600);
      node.mine(1);
    }
    const { chain } = node.adapter;
    await expect(catchUp(keepingBlocksFrom(context, 40))).rejects.toThrow(
      "keeps blocks from 40 on",
    );
    expect(await readCursor(db, chain)).toBeNull();
    await catchUp();
    const [range] = await scannedRanges(db, chain);
    expect(range?.from).toBe(0);
  });

  it("reads back for minutes only where blocks are final", async () => {
    const { node, clock, issue, catchUp } = followedChain(database, {
      startHeight: null,
      finality: { kind: "final" },
    });
    for (let minutes = 0; minutes < 100; minutes += 1) {
      clock.advance(60);
      node.mine(1);
    }
    await issue(1);
    clock.advance(60);
    node.mine(1);
    await catchUp();
    const [range] = await scannedRanges(db, node.adapter.chain);
    expect(range).toEqual({ from: 89, to: 101 });
  });

  it("rereads blocks below a replaced first block within the reorg limit", async () => {
    const { node, issue, catchUp } = followedChain(database, {
      startHeight: null,
      finality: { kind: "probable", reorgLimit: 6 },
    });
    node.mine(20);
    await catchUp();
    const address = await issue(1);
    const txid = node.pay(address, 3n);
    node.reorg(3);
    await catchUp();
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 14, to: 21 }]);
    expect(await seenTransfers(database, node.adapter.chain)).toMatchObject([
      { txid, state: "included", height: "18" },
    ]);
  });
});

describe("the network", () => {
  it("does not follow a node of another network", async () => {
    const { node, context } = followedChain(database);
    node.mine(3);
    node.faults.wrongNetwork = true;
    await expect(hold(context)).rejects.toThrow(WrongNetwork);
    expect(await readCursor(db, node.adapter.chain)).toBeNull();
  });

  it("does not follow another chain under the same configuration", async () => {
    const { node, context, clock, catchUp } = followedChain(database);
    node.mine(3);
    await catchUp();
    const other = createSimulatedChain({
      chain: node.adapter.chain,
      network: "another",
      currencies: node.adapter.currencies,
      clock,
    });
    other.mine(9);
    await expect(hold({ ...context, adapter: other.adapter })).rejects.toThrow(WrongNetwork);
    expect(await readCursor(db, node.adapter.chain)).toMatchObject({ height: 3 });
  });
});

describe("a block that a node cannot show completely", () => {
  it.each([
    ["comes from a node that shows all of it", ["pruned", "full"], 1],
    ["is taken as it is if no other node answers", ["pruned", "silent"], 0],
    [
      "is taken as it is from the first if others lack something too",
      ["full but for spends", "pruned"],
      1,
    ],
  ])("%s", async (_what, names, seen) => {
    const { node, context, issue, catchUp } = followedChain(database);
    node.pay(await issue(1), 8n);
    node.mine(1);
    const { reader, nodes } = node.adapter;
    const altered = (change: (content: BlockContent) => BlockContent): ChainReader => ({
      ...reader,
      readBlock: async (block, signal) => {
        const content = await reader.readBlock(block, signal);
        return content === null ? null : change(content);
      },
    });
    const readers = new Map<string, ChainReader>([
      ["full", reader],
      ["pruned", altered((content) => ({ ...content, transfers: [], lacks: "traces" }))],
      ["full but for spends", altered((content) => ({ ...content, lacks: "spends" }))],
      ["silent", { ...reader, headerAt: () => Promise.reject(new Unavailable("node", "away")) }],
    ]);
    const available = () =>
      names.map((name) => ({
        node: name,
        reader: readers.get(name) ?? reader,
        status: null,
        isMissingUpTo: null,
      }));
    const adapter = { ...node.adapter, nodes: { ...nodes, available } };
    await catchUp({ ...context, adapter });
    expect(await readCursor(db, adapter.chain)).toMatchObject({ height: 1 });
    expect(await seenTransfers(database, adapter.chain)).toHaveLength(seen);
  });
});

describe("the lease", () => {
  it("does not mistake another follower's work for a broken record", async () => {
    const { node, context, clock } = followedChain(database);
    node.mine(3);
    const slow = await hold({ ...context, clock: hangingClock(clock) });
    await stepUntilIdle(context, slow);
    clock.advance(context.settings.leaseMs / 1000 + 1);
    const quick = await hold({ ...context, holder: "second" });
    node.reorg(2);
    await takeStep(context, quick);
    await expect(takeStep(context, slow)).rejects.toThrow(LeaseLost);
    await quick.end();
    await slow.end();
  });

  it("belongs to one follower until it is released or expires", async () => {
    const { node, context, clock } = followedChain(database);
    node.mine(3);
    const second = { ...context, holder: "second" };
    const session = await hold(context);
    await expect(hold(second)).rejects.toThrow(LeaseLost);
    await session.end();
    const next = await hold({ ...second, clock: hangingClock(clock) });
    expect(Number(next.fence.fence)).toBeGreaterThan(Number(session.fence.fence));
    clock.advance(context.settings.leaseMs / 1000 + 1);
    const third = await hold(context);
    await next.end();
    await expect(hold(second)).rejects.toThrow(LeaseLost);
    await third.end();
  });

  it("keeps a follower that lost it from committing", async () => {
    const { node, context, clock, issue } = followedChain(database);
    const address = await issue(1);
    node.mine(3);
    const slow = await hold({ ...context, clock: hangingClock(clock) });
    await takeStep(context, slow);
    clock.advance(context.settings.leaseMs / 1000 + 1);
    const second = { ...context, holder: "second" };
    const quick = await hold(second);
    await expect(takeStep(context, slow)).rejects.toThrow(LeaseLost);
    node.pay(address, 1n);
    await stepUntilIdle(second, quick);
    await expect(takeStep(context, { ...slow, cursor: quick.cursor })).rejects.toThrow(LeaseLost);
    node.mine(1);
    await stepUntilIdle(second, quick);
    node.reorg(1);
    await expect(takeStep(context, { ...slow, cursor: quick.cursor })).rejects.toThrow(LeaseLost);
    await stepUntilIdle(second, quick);
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 0, to: 5 }]);
    await slow.end();
    await expect(hold(context)).rejects.toThrow(LeaseLost);
    await quick.end();
  });
});
