/** A node whose answers are made up: it reports block hashes that are not recomputed, and which blocks are locked. */
import { createHash } from "node:crypto";
import { Block, Transaction } from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { type Call, client, signal, startNode } from "../../../test/support/scripted-node.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { createUtxoReader } from "./reader.ts";
import type { UtxoChain } from "./utxo-chain.ts";

const chain: UtxoChain = {
  ...bitcoin,
  workHash: null,
  blockHash: null,
  transactionFormat: "typed",
  reportsLocks: true,
};
const script = `76a914${"ab".repeat(20)}88ac`;

/** Some other hash of the header than the one that most chains use. */
const hashOf = (block: Block): string =>
  createHash("sha256").update(block.toBuffer(true)).digest("hex");

function transaction(seed: number): Transaction {
  const made = new Transaction();
  made.addInput(Buffer.alloc(32, seed), 0);
  made.addOutput(Buffer.from(script, "hex"), BigInt(seed));
  return made;
}

type FakeNode = {
  readonly blocks: Block[];
  /** Pending transactions by id. */
  readonly pool: Map<string, Transaction>;
  /** The height of the newest locked block; null before the first lock. */
  lockedTo: number | null;
  readonly append: (...included: readonly Transaction[]) => Block;
};

/** Ten blocks, the last of which pays 10 units. */
function fakeNode(): FakeNode {
  const node: FakeNode = {
    blocks: [],
    pool: new Map(),
    lockedTo: null,
    append: (...included) => {
      const block = new Block();
      const { blocks } = node;
      const parent = blocks.at(-1);
      block.prevHash =
        parent === undefined ? Buffer.alloc(32) : Buffer.from(hashOf(parent), "hex").reverse();
      block.timestamp = 1_700_000_000 + blocks.length;
      block.transactions = [transaction(100 + blocks.length), ...included];
      block.merkleRoot = Block.calculateMerkleRoot(block.transactions);
      blocks.push(block);
      return block;
    },
  };
  while (node.blocks.length < 10) node.append();
  node.append(transaction(10));
  return node;
}

const absent = { error: { code: -5, message: "not found" } };

function answerOf(node: FakeNode, { method, params }: Call): object {
  const { blocks, pool } = node;
  const tip = blocks.length - 1;
  const heightOf = (hash: unknown): number => blocks.findIndex((block) => hashOf(block) === hash);
  const transactionAt = (txid: unknown): number =>
    blocks.findIndex(({ transactions }) =>
      (transactions ?? []).some((one) => one.getId() === txid),
    );
  switch (method) {
    case "getbestblockhash":
      return { result: hashOf(blocks[tip]!) };
    case "getblockhash":
      return Number(params[0]) > tip
        ? { error: { code: -8, message: "out of range" } }
        : { result: hashOf(blocks[Number(params[0])]!) };
    case "getblockheader": {
      const height = heightOf(params[0]);
      if (height === -1) return absent;
      return {
        result: {
          hash: params[0],
          height,
          confirmations: tip - height + 1,
          previousblockhash: height === 0 ? undefined : hashOf(blocks[height - 1]!),
          time: blocks[height]!.timestamp,
        },
      };
    }
    case "getbestchainlock":
      return node.lockedTo === null
        ? { error: { code: -32603, message: "Unable to find any ChainLock" } }
        : {
            result: {
              blockhash: hashOf(blocks[node.lockedTo]!),
              height: node.lockedTo,
              signature: "00",
              known_block: true,
            },
          };
    case "getblock": {
      const block = blocks[heightOf(params[0])];
      return block === undefined
        ? absent
        : { result: Buffer.from(block.toBuffer()).toString("hex") };
    }
    case "getrawmempool":
      return { result: { txids: [...pool.keys()], mempool_sequence: pool.size } };
    case "getmempoolentry":
      return pool.has(String(params[0])) ? { result: {} } : absent;
    case "getindexinfo":
      return { result: { txindex: { synced: true, best_block_height: tip } } };
    case "gettxout":
      return { result: null };
    case "getrawtransaction": {
      const waiting = pool.get(String(params[0]));
      if (waiting !== undefined) return { result: Buffer.from(waiting.toBuffer()).toString("hex") };
      const height = transactionAt(params[0]);
      return height === -1
        ? absent
        : { result: { blockhash: hashOf(blocks[height]!), vin: [], vout: [] } };
    }
    default:
      return { error: { code: -32601, message: `no ${method}` } };
  }
}

async function readerOf(node: FakeNode) {
  const served = await startNode((body, response) => {
    const reply = (call: Call): object => ({ id: call.id, ...answerOf(node, call) });
    response.end(
      JSON.stringify(Array.isArray(body) ? (body as Call[]).map(reply) : reply(body as Call)),
    );
  });
  return createUtxoReader(chain, chain.networks.regtest, client([served]), systemClock);
}

const tipHeight = 10;

describe("a chain whose network locks blocks", () => {
  it("has its newest block as the tip, locked or not", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    const newest = { height: tipHeight, hash: hashOf(node.blocks[tipHeight]!) };
    expect(await reader.tip(signal)).toMatchObject(newest);
    node.lockedTo = tipHeight - 3;
    const tip = await reader.tip(signal);
    expect(tip).toMatchObject(newest);
    expect(await reader.headerByHash(tip.hash, signal)).toEqual(tip);
    const content = await reader.readBlock(tip, signal);
    expect(content?.transfers.map(({ asset }) => asset)).toMatchObject([
      { amount: { units: 110n } },
      { amount: { units: 10n } },
    ]);
  });

  it("says which block is the newest locked one", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    expect(await reader.newestLocked?.(signal)).toBeNull();
    node.lockedTo = tipHeight - 1;
    expect(await reader.newestLocked?.(signal)).toEqual({
      height: tipHeight - 1,
      hash: hashOf(node.blocks[tipHeight - 1]!),
    });
  });

  it("shows a pending payment as pending, whether a lock protects it or not", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    const paid = transaction(77);
    node.pool.set(paid.getId(), paid);
    const pending = (await reader.pendingTransfers?.(signal)) ?? [];
    expect(pending.map(({ key }) => key.txid)).toEqual([paid.getId()]);
    expect(await reader.statusOf(paid.getId(), [], signal)).toEqual({ kind: "pending" });
  });

  it("rejects a block whose parent, time or transactions are not those of its header", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    const tip = await reader.tip(signal);
    const block = node.blocks[tipHeight]!;
    const genuine = block.toBuffer();
    const changed = (at: number): void => {
      const bytes = Buffer.from(genuine);
      bytes[at] = bytes[at]! ^ 1;
      block.toBuffer = (headersOnly) => (headersOnly === true ? genuine.subarray(0, 80) : bytes);
    };
    // The parent's hash, the time, the Merkle root, and an amount near the end.
    for (const at of [10, 68, 40, genuine.length - 34]) {
      changed(at);
      await expect(reader.readBlock(tip, signal), String(at)).rejects.toThrow(/answered/);
    }
  });
});
