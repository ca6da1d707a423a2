import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { followedChain } from "../../test/support/followed-chain.ts";
import { createRecordingTables } from "../../test/support/recording-sink.ts";
import { present } from "../platform/kernel/assert.ts";
import { silentLogger } from "../platform/kernel/logger.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import type { NodeReader } from "./chain-adapter.ts";
import type { ChainReader, LockedBlock, Transfer } from "./port.ts";
import { createSecondOpinion } from "./second-opinion.ts";

/* A second node of a chain whose network locks blocks, and nodes that keep few blocks. */

const database = useDatabase();
beforeAll(() => createRecordingTables(database));
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

  it("confirms what is withheld, unless the payment was recorded without saying so", async () => {
    const { clock, node } = followedChain(database);
    const { adapter } = node;
    const reader: typeof adapter.reader = {
      ...adapter.reader,
      readBlock: async (...asked) => {
        const content = await adapter.reader.readBlock(...asked);
        const withheld = (transfer: Transfer) => ({ ...transfer, withheldUnits: 200n });
        return content === null ? null : { ...content, transfers: content.transfers.map(withheld) };
      },
    };
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
    const content = await adapter.reader.readBlock(block, signal);
    const transfer = present(content?.transfers[0], "the payment");
    const confirmed = async (withheldUnits?: bigint) => {
      const seen = withheldUnits === undefined ? transfer : { ...transfer, withheldUnits };
      const due = { transfer: seen, dueHeight: block.height };
      return (await opinion.confirmTransfers({ ...block, readFrom: "one" }, [due], signal)).length;
    };
    expect([await confirmed(200n), await confirmed()]).toEqual([1, 1]);
    expect([await confirmed(0n), await confirmed(199n)]).toEqual([0, 0]);
  });
});

describe("nodes that no longer keep the block of our transaction", () => {
  /** So many nodes with the same chain of three blocks, which we have read. They keep those from `faults.keptFrom` on; a history has all. */
  async function asking(count: number) {
    const { clock, node, catchUp } = followedChain(database, { finality: { kind: "final" } });
    const { adapter } = node;
    const txid = node.pay(adapter.addressing.depositAt(1, null), 500n);
    node.mine(3);
    await catchUp();
    const blocks = node.blocks().map(({ ref }) => ref);
    const place = node.blocks().findIndex(({ transactions }) => transactions.length > 0);
    const block = present(blocks[place], "the block");
    const newest = present(blocks.at(-1), "the newest block");
    const faults = { keptFrom: block.height + 1, newestHash: newest.hash };
    const headerAt: ChainReader["headerAt"] = async (height, aborted) => {
      if (height < faults.keptFrom) throw new Unavailable(adapter.chain, `has no block ${height}`);
      const header = await adapter.reader.headerAt(height, aborted);
      return header?.height === newest.height ? { ...header, hash: faults.newestHash } : header;
    };
    const readers = Array.from(
      { length: count },
      (_, at): NodeReader => ({
        node: `node ${at}`,
        reader: { ...adapter.reader, headerAt },
        withHistory: adapter.reader,
        status: null,
        isMissingUpTo: null,
      }),
    );
    const opinion = createSecondOpinion({
      db: database.db,
      clock,
      logger: silentLogger,
      adapter: { ...adapter, nodes: { ...adapter.nodes, readers } },
    });
    const content = await adapter.reader.readBlock(block, signal);
    const transfer = present(content?.transfers[0], "the payment");
    const dueHeight = block.height;
    return {
      faults,
      txid,
      receipts: () => opinion.confirmReceipts(block, [{ txid, dueHeight }], signal),
      transfers: () =>
        opinion.confirmTransfers(
          { ...block, readFrom: "node 0" },
          [{ transfer, dueHeight }],
          signal,
        ),
      endRound: opinion.recordDoubts,
      newest,
    };
  }

  it.each([1, 2])("confirm it with the history (%d nodes)", async (count) => {
    const { receipts, txid } = await asking(count);
    expect(await receipts()).toMatchObject([{ txid, hasSucceeded: true }]);
  });

  it("confirm nothing before we have read up to a block that they have, or if theirs is another", async () => {
    const { endRound, faults, newest, receipts } = await asking(1);
    faults.keptFrom = newest.height + 1;
    expect(await receipts()).toEqual([]);
    await endRound();
    faults.keptFrom = newest.height;
    faults.newestHash = "another";
    expect(await receipts()).toEqual([]);
    await endRound();
    faults.newestHash = newest.hash;
    expect(await receipts()).toHaveLength(1);
  });

  it("confirm no payments, whose amounts the hash does not prove", async () => {
    const { endRound, faults, transfers } = await asking(2);
    expect(await transfers()).toEqual([]);
    await endRound();
    faults.keptFrom = 0;
    expect(await transfers()).toHaveLength(1);
  });
});
