/** A follower with two nodes of one chain, of which the node in use answers but shows nothing new. */
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { type FollowedChain, followedChain } from "../../../test/support/followed-chain.ts";
import { createRecordingTables } from "../../../test/support/recording-sink.ts";
import { until } from "../../../test/support/until.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { BlockRef, ChainReader } from "../port.ts";
import { createFailover } from "../rpc/failover.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { readCursor } from "./follower.store.ts";
import { followChain } from "./follower.ts";
import type { FollowerContext } from "./follower-session.ts";

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

type TwoNodes = FollowedChain & {
  /** Follows through both nodes, in their order. */
  readonly context: FollowerContext;
  /** From now on the first node shows its present blocks up to this height. */
  readonly freezeAt: (height: number) => void;
  /** The second node's next answer is a failure. */
  readonly failOnce: () => void;
  readonly inUse: () => string;
  readonly asked: { first: number; second: number };
};

/** Both nodes know the same simulated chain; the failover between them is the product's. */
function twoNodes(): TwoNodes {
  const followed = followedChain(database);
  const { reader } = followed.node.adapter;
  let frozen: readonly BlockRef[] | null = null;
  let isFailing = false;
  const asked = { first: 0, second: 0 };
  const first: ChainReader = {
    ...reader,
    tip: async (signal) => {
      asked.first += 1;
      return frozen?.at(-1) ?? (await reader.tip(signal));
    },
    headerAt: async (height, signal) =>
      frozen === null ? await reader.headerAt(height, signal) : (frozen[height] ?? null),
  };
  const second: ChainReader = {
    ...reader,
    tip: async (signal) => {
      asked.second += 1;
      if (isFailing) {
        isFailing = false;
        throw new NodeFault("transport", "the connection broke");
      }
      return await reader.tip(signal);
    },
  };
  const failover = createFailover(
    [
      { name: "first", reader: first, close: () => Promise.resolve() },
      { name: "second", reader: second, close: () => Promise.resolve() },
    ],
    {
      chain: followed.node.adapter.chain,
      clock: followed.clock,
      logger: silentLogger,
      random: systemRandom,
      verify: null,
    },
  );
  const readerOf = new Map([
    ["first", first],
    ["second", second],
  ]);
  const nodes = failover.nodes.map((node) => ({
    node,
    reader: readerOf.get(node) ?? reader,
    status: null,
    isMissingUpTo: null,
  }));
  const adapter: ChainAdapter = {
    ...followed.node.adapter,
    reader: {
      ...reader,
      tip: (signal): Promise<BlockRef> =>
        failover.run((node) => node.reader.tip(signal), {
          signal,
          node: undefined,
          attempts: 4,
        }),
    },
    nodes: {
      readers: nodes,
      available: () =>
        failover.available().flatMap((name) => nodes.filter(({ node }) => node === name)),
      setAside: failover.setAside,
      prefer: failover.prefer,
    },
  };
  return {
    ...followed,
    context: { ...followed.context, adapter },
    freezeAt: (height) => {
      frozen = followed.node
        .blocks()
        .slice(0, height + 1)
        .map(({ ref }) => ref);
    },
    failOnce: () => {
      isFailing = true;
    },
    inUse: failover.currentNode,
    asked,
  };
}

async function following(nodes: TwoNodes, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const done = followChain(nodes.context, stop.signal);
  try {
    await work();
  } finally {
    stop.abort();
    await done;
  }
}

describe("a follower whose node shows nothing new", () => {
  const untilAt = ({ clock, node }: TwoNodes, height: number): Promise<void> =>
    until(clock, 1, async () => (await readCursor(db, node.adapter.chain))?.height === height);

  it("continues with a node that has more blocks", async () => {
    const nodes = twoNodes();
    nodes.node.mine(5);
    await following(nodes, async () => {
      await untilAt(nodes, 5);
      expect(nodes.inUse()).toBe("first");
      nodes.freezeAt(5);
      nodes.node.mine(3);
      await untilAt(nodes, 8);
      expect(nodes.inUse()).toBe("second");
    });
  });

  it("returns from a node that is still syncing to the one that it followed", async () => {
    const nodes = twoNodes();
    nodes.node.mine(9);
    nodes.freezeAt(2);
    nodes.context.adapter.nodes.prefer("second");
    await following(nodes, async () => {
      await untilAt(nodes, 9);
      nodes.failOnce();
      await until(nodes.clock, 1, () => nodes.reports.at(-1)?.state === "behind");
      expect(nodes.inUse()).toBe("first");
      nodes.node.mine(1);
      await untilAt(nodes, 10);
      expect(nodes.inUse()).toBe("second");
    });
  });

  it("stays with it while the other nodes are on another branch", async () => {
    const nodes = twoNodes();
    nodes.node.mine(5);
    await following(nodes, async () => {
      await untilAt(nodes, 5);
      nodes.freezeAt(5);
      nodes.node.reorg(1, { length: 4 });
      const before = nodes.asked.second;
      await until(nodes.clock, 1, () => nodes.asked.second > before + 3);
      expect(nodes.inUse()).toBe("first");
    });
  });
});
