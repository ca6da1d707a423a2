import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  type FollowedChain,
  followedChain,
  hangingClock,
} from "../../../test/support/followed-chain.ts";
import {
  createRecordingTables,
  recordingSink,
  seenBlocks,
  seenTransfers,
} from "../../../test/support/recording-sink.ts";
import { scannedRanges } from "../../../test/support/scanned-ranges.ts";
import { readingBy } from "../../../test/support/simulated-chain.ts";
import { until } from "../../../test/support/until.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { readCursor } from "./follower.store.ts";
import { followChain } from "./follower.ts";
import type { FollowerContext } from "./follower-session.ts";

/* The running follower: through failures and beside other followers. The tests advance time. */

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

let stop = new AbortController();
let running: Promise<"aborted" | "stopped">[] = [];

function start(context: FollowerContext, signal = stop.signal): Promise<"aborted" | "stopped"> {
  const done = followChain(context, signal);
  running.push(done);
  return done;
}

afterEach(async () => {
  stop.abort();
  await Promise.all(running);
  stop = new AbortController();
  running = [];
});

const heightOf = async ({ node }: FollowedChain): Promise<number | undefined> =>
  (await readCursor(db, node.adapter.chain))?.height;

const statesOf = ({ reports }: FollowedChain): Set<string> =>
  new Set(reports.map((report) => report.state));

describe("a follower", () => {
  it("sleeps at the tip until a block or a payment arrives, and stops at once on an abort", async () => {
    const followed = followedChain(database);
    const { node, clock, context, issue } = followed;
    const address = await issue(1);
    node.mine(3);
    const done = start(context);
    await until(clock, 0.1, () => followed.reports.at(-1)?.event === "caughtUp");
    const txid = node.pay(address, 1n);
    await until(
      clock,
      0.1,
      async () => (await seenTransfers(database, node.adapter.chain)).length > 0,
    );
    node.mine(1);
    await until(clock, 0.1, async () => (await heightOf(followed)) === 4);
    expect(await seenTransfers(database, node.adapter.chain)).toMatchObject([
      { txid, state: "included" },
    ]);
    await until(clock, 0.1, () => followed.reports.at(-1)?.event === "caughtUp");
    stop.abort();
    expect(await done).toBe("aborted");
    expect(await readCursor(db, node.adapter.chain)).toMatchObject({
      leaseHolder: null,
      leaseExpiresAt: null,
    });
  });

  it("neither adds nor undoes blocks while a person has stopped reading, and continues on the branch of then", async () => {
    const followed = followedChain(database);
    const { node, clock, context, issue } = followed;
    const address = await issue(1);
    let isStopped = false;
    node.mine(3);
    void start({ ...context, isHeld: () => Promise.resolve(isStopped) });
    await until(clock, 0.1, () => followed.reports.at(-1)?.event === "caughtUp");
    isStopped = true;
    node.pay(address, 1n);
    node.reorg(2);
    const { height } = node.mine(2);
    await until(clock, 0.1, () => statesOf(followed).has("held"));
    const reports = followed.reports.length;
    await until(clock, 0.1, () => followed.reports.length > reports + 3);
    expect(await heightOf(followed)).toBe(3);
    expect(await seenTransfers(database, node.adapter.chain)).toEqual([]);
    isStopped = false;
    await until(clock, 0.1, async () => (await heightOf(followed)) === height);
    expect(statesOf(followed).has("following")).toBe(true);
  });

  it("retries a node that is down, unstable or on another network", async () => {
    const followed = followedChain(database);
    const { node, clock, context } = followed;
    node.mine(5);
    node.faults.outage = true;
    void start(context);
    await until(clock, 0.5, () => statesOf(followed).has("unavailable"));
    node.faults.outage = false;
    node.faults.wrongNetwork = true;
    await until(clock, 0.5, () => statesOf(followed).has("wrongNetwork"));
    expect(await readCursor(db, node.adapter.chain)).toBeNull();
    node.faults.wrongNetwork = false;
    let answers = 0;
    node.faults.beforeAnswer = () => {
      answers += 1;
      // About every eighth answer, in no rhythm that the follower's own could fall in step with.
      if (((answers * 7919) % 10_007) % 8 === 0) throw new Error("the connection broke");
    };
    node.mine(30);
    await until(clock, 0.5, async () => (await heightOf(followed)) === 35);
    node.faults.beforeAnswer = null;
    node.mine(1);
    await until(clock, 0.5, async () => (await heightOf(followed)) === 36);
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 0, to: 36 }]);
  });

  it("backs off from a node that stays down", async () => {
    const followed = followedChain(database);
    const { node, clock, context } = followed;
    node.faults.outage = true;
    void start(context);
    const checkCount = (): number => node.callCounts.get("verifyNetwork") ?? 0;
    const from = clock.now();
    await until(clock, 0.25, () => checkCount() === 10);
    // 0.5 + 1 + 2 + 4 + 8 + 16 + 3 x 30 seconds, of which the jitter takes at most half.
    expect(clock.now() - from).toBeGreaterThan(55_000_000);
  });

  it("releases the lease while its own node is down", async () => {
    const followed = followedChain(database);
    const { node, clock, context } = followed;
    node.mine(5);
    void start(context);
    await until(clock, 0.5, async () => (await heightOf(followed)) === 5);
    const { reader } = context.adapter;
    const dead = { ...reader, tip: () => Promise.reject(new Error("this one's network is down")) };
    const cutOff = { ...context, holder: "cut off", adapter: readingBy(context.adapter, dead) };
    stop.abort();
    await Promise.all(running);
    stop = new AbortController();
    void start(cutOff);
    void start({ ...context, holder: "healthy" });
    node.mine(3);
    await until(clock, 0.5, async () => (await heightOf(followed)) === 8);
  });

  it("stops with nothing undone on a reorg beyond the limit", async () => {
    const followed = followedChain(database, { finality: { kind: "probable", reorgLimit: 3 } });
    const { node, clock, context } = followed;
    const errors: unknown[] = [];
    const logger = {
      ...context.logger,
      error: (message: string, fields?: unknown) => void errors.push([message, fields]),
    };
    node.mine(10);
    const done = start({ ...context, logger });
    await until(clock, 0, () => followed.reports.at(-1)?.event === "caughtUp");
    const held = await seenBlocks(database, node.adapter.chain);
    node.reorg(4);
    await until(clock, 0.1, () => statesOf(followed).has("stopped"));
    expect(await done).toBe("stopped");
    expect(await seenBlocks(database, node.adapter.chain)).toEqual(held);
    expect(statesOf(followed).has("stopped")).toBe(true);
    expect(JSON.stringify(errors)).toContain("more than 3 blocks");
  });

  it("stops when an invariant breaks and retries everything else", async () => {
    const followed = followedChain(database);
    const { node, clock, context } = followed;
    const troubles = [new Error("the disk is full"), new InvariantViolation("less than nothing")];
    const sink = {
      ...recordingSink,
      appended: async (...args: Parameters<typeof recordingSink.appended>) => {
        const trouble = args[2].height === 3 ? troubles.shift() : undefined;
        if (trouble !== undefined) throw trouble;
        await recordingSink.appended(...args);
      },
    };
    node.mine(5);
    const done = start({ ...context, sink });
    await until(clock, 0.5, () => statesOf(followed).has("stopped"));
    expect(await done).toBe("stopped");
    expect(statesOf(followed).has("unavailable")).toBe(true);
    expect(await heightOf(followed)).toBe(2);
  });
});

describe("several followers", () => {
  it("share a chain: one works, and the next takes over when it falls silent", async () => {
    const followed = followedChain(database);
    const { node, clock, context, issue } = followed;
    const address = await issue(1);
    node.mine(5);
    // The first hangs in the middle of its work and never renews its lease again.
    const stuck = new AbortController();
    const { reader } = context.adapter;
    const hanging = {
      ...reader,
      readBlock: async (...args: Parameters<typeof reader.readBlock>) => {
        if (args[0].height >= 3) await systemClock.sleep(600_000, args[1]);
        return reader.readBlock(...args);
      },
    };
    void start(
      {
        ...context,
        clock: hangingClock(clock),
        adapter: readingBy(context.adapter, hanging),
      },
      stuck.signal,
    );
    await until(clock, 0, async () => (await heightOf(followed)) === 2);
    void start({ ...context, holder: "second" });
    void start({ ...context, holder: "third" });
    node.pay(address, 1n);
    node.mine(4);
    await until(clock, 1, async () => (await heightOf(followed)) === 9);
    stuck.abort();
    expect((await seenTransfers(database, node.adapter.chain)).length).toBe(1);
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 0, to: 9 }]);
  });

  it("releases the chain of a follower whose step hangs", async () => {
    const followed = followedChain(database);
    const { node, clock, context } = followed;
    node.mine(5);
    const stuck = new AbortController();
    const { reader } = context.adapter;
    const hanging = { ...reader, readBlock: () => new Promise<null>(() => undefined) };
    void followChain(
      {
        ...context,
        settings: { ...context.settings, stallMs: 120_000 },
        adapter: readingBy(context.adapter, hanging),
      },
      stuck.signal,
    );
    await until(
      clock,
      0,
      async () => (await readCursor(db, node.adapter.chain))?.leaseHolder === "first",
    );
    void start({ ...context, holder: "second" });
    await until(clock, 2, async () => (await heightOf(followed)) === 5);
    stuck.abort();
  });

  it("of different chains do not wait for each other", async () => {
    const [dead, slow, well] = [
      followedChain(database),
      followedChain(database),
      followedChain(database),
    ];
    dead.node.faults.outage = true;
    slow.node.faults.beforeAnswer = (_question, signal) => systemClock.sleep(600_000, signal);
    void start(dead.context);
    void start(slow.context);
    well.node.mine(50);
    void start(well.context);
    await until(well.clock, 0, async () => (await heightOf(well)) === 50);
    expect(await heightOf(slow)).toBeUndefined();
    stop.abort();
    expect(await Promise.all(running)).toEqual(["aborted", "aborted", "aborted"]);
  });
});
