import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { followedChain } from "../../../test/support/followed-chain.ts";
import { createRecordingTables } from "../../../test/support/recording-sink.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { LockedBlock } from "../port.ts";
import type { FollowerContext } from "./follower-session.ts";

/* A follower of a chain whose network locks blocks, against a simulated chain and a real database. */

const database = useDatabase();
beforeAll(() => createRecordingTables(database));

function lockedChain() {
  const followed = followedChain(database);
  const { node } = followed;
  const network: { locked: LockedBlock | null } = { locked: null };
  const reader = { ...node.adapter.reader, newestLocked: () => Promise.resolve(network.locked) };
  const context: FollowerContext = {
    ...followed.context,
    adapter: { ...node.adapter, reader },
  };
  return {
    node,
    lock: (height: number) => {
      const { hash } = present(node.blocks()[height], "a block").ref;
      network.locked = { height, hash };
    },
    lockOther: (locked: LockedBlock) => {
      network.locked = locked;
    },
    catchUp: () => followed.catchUp(context),
    lockedHeight: async () => {
      const [row] = await database.sql<{ locked_height: string | null }>(
        "select locked_height from chain_cursor where chain = $1",
        [node.adapter.chain],
      );
      return row?.locked_height ?? null;
    },
  };
}

describe("the newest locked block", () => {
  it("is recorded at the tip, without a new block", async () => {
    const { catchUp, lock, lockedHeight, node } = lockedChain();
    node.mine(10);
    await catchUp();
    expect(await lockedHeight()).toBeNull();
    lock(8);
    await catchUp();
    expect(await lockedHeight()).toBe("8");
    lock(10);
    await catchUp();
    expect(await lockedHeight()).toBe("10");
  });

  it("is ignored while it is not one of our blocks", async () => {
    const { catchUp, lock, lockedHeight, lockOther, node } = lockedChain();
    node.mine(10);
    lockOther({ height: 9, hash: "another block" });
    await catchUp();
    lockOther({ height: 11, hash: "a block that we have not read" });
    await catchUp();
    expect(await lockedHeight()).toBeNull();
    node.mine(1);
    lock(11);
    await catchUp();
    expect(await lockedHeight()).toBe("11");
  });

  it("is no longer recorded once a reorg removes it after all", async () => {
    const { catchUp, lock, lockedHeight, node } = lockedChain();
    node.mine(10);
    lock(9);
    await catchUp();
    node.reorg(4);
    await catchUp();
    expect(await lockedHeight()).toBe("6");
  });
});
