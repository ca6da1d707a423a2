import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { followedChain, hold } from "../../../test/support/followed-chain.ts";
import {
  createRecordingTables,
  seenBlocks,
  seenTransfers,
} from "../../../test/support/recording-sink.ts";
import { readingBy } from "../../../test/support/simulated-chain.ts";
import { noSpends } from "../port.ts";
import { readCursor } from "./follower.store.ts";
import type { FollowerContext } from "./follower-session.ts";
import { ReorgTooDeep } from "./orphan-newest.ts";
import { pruneBlocks } from "./prune-blocks.ts";
import { takeStep } from "./take-step.ts";

/* Reorgs of a simulated chain, as deep as allowed and deeper; the recording sink refuses any orphan but the newest block. */

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

describe("reorgs", () => {
  it("orphan the blocks from the top down and follow the other branch", async () => {
    const { node, issue, catchUp } = followedChain(database);
    const address = await issue(1);
    node.mine(5);
    const txid = node.pay(address, 3n);
    node.mine(4);
    await catchUp();
    const before = node.blocks().map((block) => block.ref.hash);
    node.reorg(4, { length: 6, mineAgain: false });
    node.mine(1);
    await catchUp();
    expect(await seenTransfers(database, node.adapter.chain)).toMatchObject([
      { txid, state: "included", height: "12" },
    ]);
    expect((await seenBlocks(database, node.adapter.chain)).map((block) => block.hash)).toEqual(
      node.blocks().map((block) => block.ref.hash),
    );
    const orphans = await database.sql<{ hash: string }>(
      "select hash from chain_block where chain = $1 and orphaned_at is not null order by height",
      [node.adapter.chain],
    );
    expect(orphans.map((orphan) => orphan.hash)).toEqual(before.slice(6));
  });

  it("orphan nothing when the node is merely behind", async () => {
    const { node, catchUp, reports } = followedChain(database);
    node.mine(30);
    await catchUp();
    for (const lag of [1, 7, 29]) {
      node.faults.lag = lag;
      await catchUp();
      expect(reports.at(-1)).toMatchObject({ state: "behind", height: 30, nodeHeight: 30 - lag });
    }
    node.faults.lag = 0;
    expect((await seenBlocks(database, node.adapter.chain)).length).toBe(31);
    expect(reports.some((report) => report.event === "orphaned")).toBe(false);
  });

  it("orphan only replaced blocks when the tip went back", async () => {
    const { node, catchUp, reports } = followedChain(database);
    node.mine(10);
    await catchUp();
    node.rollback(4);
    await catchUp();
    expect(reports.some((report) => report.event === "orphaned")).toBe(false);
    node.mine(2);
    await catchUp();
    expect((await seenBlocks(database, node.adapter.chain)).map((block) => block.hash)).toEqual(
      node.blocks().map((block) => block.ref.hash),
    );
  });

  it("check an answer of another branch against our own tip first", async () => {
    const { node, context, catchUp, reports } = followedChain(database);
    node.mine(10);
    await catchUp();
    const [tip, stale] = [node.tip(), { ...node.tip(), hash: "ff".repeat(32) }];
    let isStale = true;
    const reader = {
      ...node.adapter.reader,
      tip: () => Promise.resolve(isStale ? stale : tip),
    };
    const mixed = { ...context, adapter: readingBy(context.adapter, reader) };
    await catchUp(mixed);
    isStale = false;
    await catchUp(mixed);
    expect(reports.some((report) => report.event === "orphaned")).toBe(false);
  });

  it("undo everything within the limit and nothing beyond it", async () => {
    const { node, catchUp } = followedChain(database, {
      finality: { kind: "probable", reorgLimit: 5 },
    });
    node.mine(20);
    await catchUp();
    node.reorg(5);
    await catchUp();
    const held = await seenBlocks(database, node.adapter.chain);
    expect(held.at(-1)).toMatchObject({ height: "21", hash: node.tip().hash });

    node.reorg(6);
    await expect(catchUp()).rejects.toThrow(ReorgTooDeep);
    expect(await seenBlocks(database, node.adapter.chain)).toEqual(held);
  });

  it("continue with a higher limit after a reorg that was too deep", async () => {
    const { node, context, issue, catchUp } = followedChain(database, {
      finality: { kind: "probable", reorgLimit: 5 },
    });
    const { chain } = node.adapter;
    node.mine(12);
    const txid = node.pay(await issue(1), 3n);
    node.mine(6);
    await catchUp();
    node.reorg(7, { mineAgain: false });
    await expect(catchUp()).rejects.toThrow(`set chains.${chain}.reorg_limit to more`);
    expect(await seenTransfers(database, chain)).toMatchObject([{ txid, state: "included" }]);

    await expect(catchUp(allowing(context, 6))).rejects.toThrow("more than 6 blocks");
    await catchUp(allowing(context, 7));
    expect((await seenBlocks(database, chain)).map((block) => block.hash)).toEqual(
      node.blocks().map((block) => block.ref.hash),
    );
    expect(await seenTransfers(database, chain)).not.toMatchObject([{ state: "included" }]);
  });

  it("never reach below the pruned blocks, whatever the limit", async () => {
    const { node, context, catchUp } = followedChain(database, {
      finality: { kind: "probable", reorgLimit: 5 },
    });
    const { chain } = node.adapter;
    node.mine(30);
    await catchUp();
    await pruneBlocks(db, node.adapter);
    const held = await seenBlocks(database, chain);
    node.reorg(11);
    const tooDeep = "more than 10 blocks .* blocks further down are not kept";
    await expect(catchUp(allowing(context, 25))).rejects.toThrow(new RegExp(tooDeep));
    expect(await seenBlocks(database, chain)).toEqual(held);
  });

  it("count depth from the greatest height ever held", async () => {
    const { node, context, catchUp } = followedChain(database, {
      finality: { kind: "probable", reorgLimit: 5 },
    });
    node.mine(20);
    await catchUp();
    node.reorg(4);
    const session = await hold(context);
    await takeStep(context, session);
    await takeStep(context, session);
    await session.end();
    expect(await readCursor(db, node.adapter.chain)).toMatchObject({ height: 18 });
    node.reorg(9);
    await expect(catchUp()).rejects.toThrow(ReorgTooDeep);
    expect(await readCursor(db, node.adapter.chain)).toMatchObject({ height: 18 });
  });

  it("undo nothing on a chain whose blocks are final, and get the node refused", async () => {
    const { node, context, catchUp } = followedChain(database, { finality: { kind: "final" } });
    node.mine(4);
    await catchUp();
    const before = await seenBlocks(database, node.adapter.chain);
    const final = node.blocks().at(-1)!.ref;
    node.reorg(1);
    const refused: string[] = [];
    const nodes = {
      ...node.adapter.nodes,
      setAside: (name: string) => {
        refused.push(name);
      },
    };
    await catchUp({ ...context, adapter: { ...node.adapter, nodes } });
    expect(await seenBlocks(database, node.adapter.chain)).toEqual(before);
    expect(refused).toEqual(["simulated"]);
    const fork = node.blocks()[final.height]!.ref;
    expect(
      await database.sql("select kind, reason from node_doubt where chain = $1", [
        node.adapter.chain,
      ]),
    ).toEqual([
      {
        kind: "refused",
        reason: expect.stringContaining(
          `simulated reports block ${fork.hash} at height 4, where ${final.hash} is final`,
        ) as string,
      },
    ]);
  });

  it("restore a block that returns to the best chain", async () => {
    const { node, context, catchUp } = followedChain(database);
    node.mine(6);
    await catchUp();
    const old = node.blocks().slice();
    node.reorg(2, { length: 2 });
    await catchUp();
    const reader = {
      ...node.adapter.reader,
      tip: () => Promise.resolve(old.at(-1)!.ref),
      headerAt: (height: number) => Promise.resolve(old[height]?.ref ?? null),
      headerByHash: (hash: string) =>
        Promise.resolve(old.find((block) => block.ref.hash === hash)?.ref ?? null),
      readBlock: (block: (typeof old)[0]["ref"]) =>
        Promise.resolve({ block, transfers: [], spends: noSpends }),
    };
    await catchUp({ ...context, adapter: readingBy(context.adapter, reader) });
    expect((await seenBlocks(database, node.adapter.chain)).map((block) => block.hash)).toEqual(
      old.map((block) => block.ref.hash),
    );
  });
});

/** The same follower with another limit, as after a restart with `reorg_limit` configured. */
function allowing(context: FollowerContext, reorgLimit: number): FollowerContext {
  const { adapter } = context;
  const reader = { ...adapter.reader, finality: { kind: "probable" as const, reorgLimit } };
  return { ...context, adapter: readingBy(adapter, reader) };
}
