import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { followedChain } from "../../../test/support/followed-chain.ts";
import { createRecordingTables } from "../../../test/support/recording-sink.ts";
import { scannedRanges } from "../../../test/support/scanned-ranges.ts";
import { readCursor } from "./follower.store.ts";
import { pruneBlocks } from "./prune-blocks.ts";

/* Old blocks are deleted, the proof that they were scanned remains, and reorgs within the limit still work. */

const database = useDatabase();
const { db } = database;
beforeAll(() => createRecordingTables(database));

describe("pruning", () => {
  it("deletes blocks beyond the reorg limit and keeps their scanned heights", async () => {
    const { node, catchUp } = followedChain(database, {
      finality: { kind: "probable", reorgLimit: 4 },
    });
    node.mine(30);
    await catchUp();
    expect(await pruneBlocks(db, node.adapter)).toBe(22);
    expect(await pruneBlocks(db, node.adapter)).toBe(0);
    expect(await scannedRanges(db, node.adapter.chain)).toEqual([{ from: 0, to: 30 }]);
    node.reorg(4);
    await catchUp();
    expect(await readCursor(db, node.adapter.chain)).toMatchObject({ hash: node.tip().hash });
  });
});
