import { describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { followedChain } from "../../test/support/followed-chain.ts";
import { present } from "../platform/kernel/assert.ts";
import { silentLogger } from "../platform/kernel/logger.ts";
import type { LockedBlock } from "./port.ts";
import { createSecondOpinion } from "./second-opinion.ts";

/* A second node of a chain whose network locks blocks. */

const database = useDatabase();
const signal = new AbortController().signal;

describe("a second node", () => {
  it("confirms a payment at the required depth, or in a block that its network has locked", async () => {
    const { clock, node } = followedChain(database);
    const { adapter } = node;
    const network: { locked: LockedBlock | null } = { locked: null };
    const reader = { ...adapter.reader, newestLocked: () => Promise.resolve(network.locked) };
    const named = (name: string) => ({ node: name, reader, status: null, isMissingUpTo: null });
    const opinion = createSecondOpinion({
      db: database.db,
      clock,
      logger: silentLogger,
      adapter: { ...adapter, nodes: { ...adapter.nodes, readers: [named("one"), named("two")] } },
    });
    node.pay(adapter.addressing.depositAt(1, null), 500n);
    node.mine(3);
    const payment = node.blocks().findIndex(({ transactions }) => transactions.length > 0);
    const block = present(node.blocks()[payment], "the payment's block").ref;
    const content = await reader.readBlock(block, signal);
    const transfer = present(content?.transfers[0], "the payment");
    const due = { transfer, dueHeight: block.height + 5 };
    const confirmed = () => opinion.confirmTransfers({ ...block, readFrom: "one" }, [due], signal);
    expect(await confirmed()).toEqual([]);
    network.locked = { height: block.height - 1, hash: block.parentHash };
    expect(await confirmed()).toEqual([]);
    network.locked = { height: block.height, hash: block.hash };
    expect(await confirmed()).toEqual([due]);
    network.locked = null;
    node.mine(3);
    expect(await confirmed()).toEqual([due]);
  });
});
