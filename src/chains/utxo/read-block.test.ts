/** A node that answers blocks of its own making: none of their payments is read. */
import { Block, Transaction } from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { client, signal, startNode } from "../../../test/support/scripted-node.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import { bitcoin } from "./bitcoin.ts";
import { createUtxoReader } from "./reader.ts";

const time = 1_700_000_000;

/** A block of regtest with one payment to an address, mined where `isMined` (one header in two shows that little work). */
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

async function read(block: Block, header: { parent?: string; time?: number } = {}) {
  const hash = block.getId();
  const node = await startNode((body, response) => {
    const [headerCall, blockCall] = body as readonly { readonly id: number }[];
    const told = {
      hash,
      height: 7,
      confirmations: 1,
      previousblockhash: header.parent ?? "07".repeat(32),
      time: header.time ?? time,
    };
    const raw = Buffer.from(block.toBuffer()).toString("hex");
    const replies = [
      { id: headerCall!.id, result: told },
      { id: blockCall!.id, result: raw },
    ];
    response.end(JSON.stringify(replies));
  });
  const reader = createUtxoReader(bitcoin, bitcoin.networks.regtest, client([node]), manualClock());
  const asked = { hash, height: 7, parentHash: "07".repeat(32), time: instantFromSeconds(time) };
  return await reader.readBlock(asked, signal);
}

describe("readBlock", () => {
  it("reads the payments of a mined block", async () => {
    expect((await read(blockOf(true)))?.transfers).toHaveLength(3);
  });

  it("rejects a block whose header shows no proof of work", async () => {
    await expect(read(blockOf(false))).rejects.toThrow("which lacks its proof of work");
  });

  it("rejects a mined block with its last transaction repeated", async () => {
    const repeated = blockOf(true, (block) => {
      block.transactions = [...(block.transactions ?? []), ...(block.transactions ?? []).slice(-1)];
    });
    await expect(read(repeated)).rejects.toThrow("answered a block that repeats transactions");
  });

  it("rejects a block of which the node tells another parent or time than its header has", async () => {
    const message = "with another block's header";
    await expect(read(blockOf(true), { parent: "08".repeat(32) })).rejects.toThrow(message);
    await expect(read(blockOf(true), { time: time - 1 })).rejects.toThrow(message);
  });
});
