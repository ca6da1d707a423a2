/** A node whose answers are made up: the reader must verify everything. */
import { Block, Transaction } from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { client, signal, startNode } from "../../../test/support/scripted-node.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import { addressOfScript } from "./output-script.ts";
import { createUtxoReader } from "./reader.ts";
import type { UtxoChain } from "./utxo-chain.ts";

const time = 1_700_000_000;

/** A regtest block with one payment to an address; `isMined` selects whether it meets its target (one header in two does). */
function blockOf(isMined: boolean, change: (block: Block) => void = () => undefined): Block {
  const block = new Block();
  block.prevHash = Buffer.alloc(32, 7);
  block.timestamp = time;
  block.bits = 0x207fffff;
  block.transactions = [1, 2, 3].map((number) => {
    const transaction = new Transaction();
    transaction.addInput(Buffer.alloc(32, number), 0);
    transaction.addOutput(Buffer.from(`0014${"ab".repeat(20)}`, "hex"), 1_000n);
    return transaction;
  });
  block.merkleRoot = Block.calculateMerkleRoot(block.transactions);
  while (block.checkProofOfWork() !== isMined) block.nonce += 1;
  change(block);
  return block;
}

const script = `0014${"cd".repeat(20)}`;

/** Stands for the transaction behind every coin that is spent. */
const creator = new Transaction();
creator.addInput(Buffer.alloc(32, 9), 0);
creator.addOutput(Buffer.from(script, "hex"), 2_000n);

type Asked = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** Regtest's proof of work with the main network's rule for targets. */
const withRetargets: UtxoChain = {
  ...bitcoin,
  networks: {
    ...bitcoin.networks,
    regtest: { ...bitcoin.networks.regtest, retargetBlocks: 2016 },
  },
};

/** A reader of a node that has this one block on top of that parent. */
async function readerOf(
  block: Block,
  header: { parent?: Block; parentHash?: string; time?: number; chain?: UtxoChain } = {},
) {
  const { parent, chain = bitcoin } = header;
  const parentHash = Buffer.from(block.prevHash ?? [])
    .reverse()
    .toString("hex");
  const shown = {
    hash: block.getId(),
    height: 7,
    confirmations: 1,
    previousblockhash: header.parentHash ?? parentHash,
    time: header.time ?? time,
  };
  const asked: string[] = [];
  const answer = ({ method, params }: Asked): unknown => {
    asked.push(method);
    if (method === "getblock") return Buffer.from(block.toBuffer()).toString("hex");
    if (method === "getrawtransaction") return Buffer.from(creator.toBuffer()).toString("hex");
    if (params[0] !== parentHash) return shown;
    return parent === undefined ? null : Buffer.from(parent.toBuffer(true)).toString("hex");
  };
  const node = await startNode((body, response) => {
    const replies = (body as readonly Asked[]).map((requests) => ({
      id: requests.id,
      result: answer(requests),
    }));
    response.end(JSON.stringify(replies));
  });
  const reader = createUtxoReader(chain, chain.networks.regtest, client([node]), manualClock());
  const target = { hash: block.getId(), height: 7, parentHash, time: instantFromSeconds(time) };
  return { reader, target, asked };
}

async function read(block: Block, header?: Parameters<typeof readerOf>[1]) {
  const { reader, target } = await readerOf(block, header);
  return await reader.readBlock(target, signal);
}

describe("readBlock", () => {
  it("reads the payments of a mined block", async () => {
    expect((await read(blockOf(true)))?.transfers).toHaveLength(3);
  });

  it("makes the transfers to some receivers alone", async () => {
    const content = await read(blockOf(true));
    const { keys, to } = content!.byReceiver!;
    const paid = `0014${"ab".repeat(20)}`;
    expect(keys).toEqual([paid, paid, paid]);
    expect(to(new Set([paid]))).toEqual(content!.transfers);
    expect(to(new Set([script]))).toEqual([]);
  });

  it("reads a block once for its payments and their senders", async () => {
    const { reader, target, asked } = await readerOf(blockOf(true));
    const content = await reader.readBlock(target, signal);
    const txids = content!.transfers.map(({ key }) => key.txid);
    const found = await reader.senders(txids, target, signal);
    expect([...found.keys()]).toEqual(txids);
    const spent = `${Buffer.alloc(32, 2).toString("hex")}:0`;
    const address = addressOfScript(bitcoin.networks.regtest, script);
    expect(found.get(txids[1]!)).toEqual({ addresses: [address], claims: [spent] });
    expect(asked.filter((method) => method === "getblock")).toHaveLength(1);
  });

  it("rejects a block whose header shows no proof of work", async () => {
    await expect(read(blockOf(false))).rejects.toThrow("which lacks its proof of work");
  });

  it("reads a block without work in its header where work is not in the header", async () => {
    const chain = { ...bitcoin, workHash: null };
    expect((await read(blockOf(false), { chain }))?.transfers).toHaveLength(3);
  });

  it("rejects a mined block that repeats its last transaction", async () => {
    const repeated = blockOf(true, (block) => {
      block.transactions = [...(block.transactions ?? []), ...(block.transactions ?? []).slice(-1)];
    });
    await expect(read(repeated)).rejects.toThrow("answered a block that repeats transactions");
  });

  it("rejects a block whose parent or time differs from the header that the node reports", async () => {
    const message = "with another block's header";
    await expect(read(blockOf(true), { parentHash: "08".repeat(32) })).rejects.toThrow(message);
    await expect(read(blockOf(true), { time: time - 1 })).rejects.toThrow(message);
  });

  describe("on a network with retarget periods", () => {
    const onTopOf = (parent: Block): Block => {
      const block = blockOf(true);
      block.prevHash = parent.getHash();
      while (!block.checkProofOfWork()) block.nonce += 1;
      return block;
    };
    const chain = withRetargets;

    it("reads a block of its parent's difficulty", async () => {
      const parent = blockOf(true);
      expect((await read(onTopOf(parent), { parent, chain }))?.transfers).toHaveLength(3);
    });

    it("rejects a block that is easier to mine than its parent", async () => {
      const parent = blockOf(true);
      parent.bits = 0x1f7fffff;
      const easier = onTopOf(parent);
      await expect(read(easier, { parent, chain })).rejects.toThrow(
        "whose difficulty may not follow its parent's",
      );
    });

    it("rejects a header that is not the parent's", async () => {
      const block = onTopOf(blockOf(true));
      const other = blockOf(true, (parent) => {
        parent.nonce += 1;
      });
      await expect(read(block, { parent: other, chain })).rejects.toThrow("when asked for");
    });
  });
});

describe("receiptsIn", () => {
  const included = (block: Block): string => block.transactions?.[1]?.getId() ?? "";

  it("finds our transaction in a mined block", async () => {
    const block = blockOf(true);
    const { reader, target } = await readerOf(block);
    expect(await reader.receiptsIn([included(block), "ab".repeat(32)], target, signal)).toEqual([
      { txid: included(block), hasSucceeded: true, feeUnits: null },
    ]);
  });

  it("rejects a block whose header shows no proof of work", async () => {
    const block = blockOf(false);
    const { reader, target } = await readerOf(block);
    await expect(reader.receiptsIn([included(block)], target, signal)).rejects.toThrow(
      "which lacks its proof of work",
    );
  });

  it("rejects a transaction that was put into a mined block afterwards", async () => {
    const block = blockOf(true, (changed) => {
      changed.transactions?.[1]?.addOutput(Buffer.from(`0014${"cd".repeat(20)}`, "hex"), 5n);
    });
    const { reader, target } = await readerOf(block);
    await expect(reader.receiptsIn([included(block)], target, signal)).rejects.toThrow(
      "whose transactions are not those of its header",
    );
  });
});
