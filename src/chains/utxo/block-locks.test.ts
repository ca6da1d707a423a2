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
  blockLocks: { confirmationsWithout: 6 },
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
  /** The height of the newest locked block. */
  lockedTo: number;
  readonly append: (...included: readonly Transaction[]) => Block;
};

/** Ten blocks, the last of which pays 10 units. */
function fakeNode(): FakeNode {
  const node: FakeNode = {
    blocks: [],
    pool: new Map(),
    lockedTo: 0,
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
          chainlock: height <= node.lockedTo,
        },
      };
    }
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

describe("a chain whose nodes lock blocks", () => {
  it("has its newest locked block as the tip", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    node.lockedTo = tipHeight;
    const tip = await reader.tip(signal);
    expect(tip).toMatchObject({ height: tipHeight, hash: hashOf(node.blocks[tipHeight]!) });
    expect(await reader.headerByHash(tip.hash, signal)).toEqual(tip);
    const content = await reader.readBlock(tip, signal);
    expect(content?.transfers.map(({ asset }) => asset)).toMatchObject([
      { amount: { units: 110n } },
      { amount: { units: 10n } },
    ]);
    expect(await reader.pendingTransfers?.(signal)).toEqual([]);
  });

  it("has its sixth newest block as the tip while none is locked", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    expect(await reader.tip(signal)).toMatchObject({ height: tipHeight - 5 });
    node.append();
    expect(await reader.tip(signal)).toMatchObject({ height: tipHeight - 4 });
    node.lockedTo = tipHeight - 2;
    expect(await reader.tip(signal)).toMatchObject({ height: tipHeight - 2 });
  });

  it("has no header above the tip, by height or by hash", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    node.lockedTo = tipHeight - 1;
    const newest = hashOf(node.blocks[tipHeight]!);
    expect(await reader.headerAt(tipHeight, signal)).toBeNull();
    expect(await reader.headerByHash(newest, signal)).toBeNull();
    node.lockedTo = tipHeight;
    expect(await reader.headerAt(tipHeight, signal)).toMatchObject({ hash: newest });
  });

  it("shows payments in newer blocks than the tip as pending, each once, with what they spend", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    const [inBlock, inPool] = [transaction(10), transaction(77)];
    // Between two requests, a transaction may be in the pool and in a block.
    for (const one of [inBlock, inPool]) node.pool.set(one.getId(), one);
    const pending = (await reader.pendingTransfers?.(signal)) ?? [];
    const ours = pending.filter(
      ({ asset }) => asset.kind === "currency" && asset.amount.units < 100n,
    );
    expect(ours.map(({ key }) => key.txid).sort()).toEqual(
      [inBlock.getId(), inPool.getId()].sort(),
    );
    const claim = `${"0a".repeat(32)}:0`;
    const spends = await reader.pendingSpends?.((source) => source === claim, signal);
    expect(spends).toMatchObject([{ txid: inBlock.getId(), claims: [claim] }]);
    node.pool.clear();
    node.lockedTo = tipHeight;
    expect(await reader.pendingTransfers?.(signal)).toEqual([]);
  });

  it("includes a payment once its block is the tip, and until then calls it pending", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    const txid = transaction(10).getId();
    expect(await reader.statusOf(txid, [], signal)).toEqual({ kind: "pending" });
    node.lockedTo = tipHeight;
    expect(await reader.statusOf(txid, [], signal)).toEqual({
      kind: "included",
      height: tipHeight,
    });
  });

  it("reports a conflict once the other transaction's block is the tip", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    // The coin that this transaction would have spent was created in an early block.
    const coin = node.blocks[1]!.transactions![0]!.getId();
    const winner = new Transaction();
    winner.addInput(Buffer.from(coin, "hex").reverse(), 0);
    winner.addOutput(Buffer.from(script, "hex"), 5n);
    node.append(winner);
    const status = () => reader.statusOf("ee".repeat(32), [`${coin}:0`], signal);
    expect(await status()).toEqual({ kind: "unknown" });
    node.lockedTo = tipHeight + 1;
    expect(await status()).toEqual({
      kind: "conflicted",
      by: winner.getId(),
      height: tipHeight + 1,
    });
  });

  it("wakes a waiting follower when a lock arrives, without a new block", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    await reader.tip(signal);
    // Longer than the test's timeout: a wait until the end fails.
    const wait = reader.waitForBlock(600_000, signal);
    node.lockedTo = tipHeight;
    await wait;
    expect(await reader.tip(signal)).toMatchObject({ height: tipHeight });
  });

  it("follows another branch above the tip without having read the one that is gone", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    const before = await reader.tip(signal);
    node.blocks.splice(-3);
    for (let count = 0; count < 4; count += 1) node.append(transaction(50 + count));
    expect(await reader.headerByHash(before.hash, signal)).toEqual(before);
    expect((await reader.tip(signal)).height).toBe(before.height + 1);
  });

  it("rejects a block whose parent, time or transactions are not those of its header", async () => {
    const node = fakeNode();
    const reader = await readerOf(node);
    node.lockedTo = tipHeight;
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
