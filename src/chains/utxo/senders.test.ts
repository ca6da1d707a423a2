/** Senders of a block with thousands of payments, read from a node that answers as real ones do; each question is counted. */
import { Block, Transaction } from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { type Call, client, signal, startNode } from "../../../test/support/scripted-node.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { JsonRpcOptions } from "../rpc/json-rpc.ts";
import { idText } from "./parse-transaction.ts";
import { readSenders } from "./senders.ts";

const network = bitcoin.networks.regtest;
const rules = { chain: bitcoin, network };
const script = Buffer.from(`0014${"ab".repeat(20)}`, "hex");
const address = "bcrt1q4w46h2at4w46h2at4w46h2at4w46h2atzmxqe2";

function paying(from: Transaction | null, units: number): Transaction {
  const transaction = new Transaction();
  if (from === null) transaction.addInput(Buffer.alloc(32, 0), 0xffffffff);
  else transaction.addInput(from.getHash(), 0);
  transaction.addOutput(script, BigInt(units));
  return transaction;
}

/** A block whose payments each spend the coin of another transaction, the last one a coin of the block itself. */
function blockOf(payments: number) {
  const parents = Array.from({ length: payments - 1 }, (_, index) => paying(null, index + 1));
  const children = parents.map((parent, index) => paying(parent, 5_000 + index));
  const all = [...children, paying(children[0]!, 4_000)];
  const block = new Block();
  block.prevHash = Buffer.alloc(32, 7);
  block.bits = 0x207fffff;
  block.transactions = [paying(null, 9_000_000), ...all];
  block.merkleRoot = Block.calculateMerkleRoot(block.transactions);
  while (!block.checkProofOfWork()) block.nonce += 1;
  const ref = {
    hash: block.getId(),
    height: 7,
    parentHash: idText(Buffer.alloc(32, 7)),
    time: instantFromSeconds(block.timestamp),
  };
  return { block, ref, parents, txids: all.map((one) => one.getId()) };
}

type Node = { readonly hasIndex: boolean; readonly reportsSpent: boolean };

/** A node that works on one question at a time: `workedMs` on each transaction, more where it has to read a whole block. */
async function nodeWith(
  { block, ref, parents }: ReturnType<typeof blockOf>,
  { hasIndex, reportsSpent }: Node,
  options: Partial<JsonRpcOptions> = {},
) {
  const clock = manualClock();
  const raw = new Map(parents.map((parent) => [parent.getId(), parent.toHex()]));
  const included = new Map(block.transactions!.map((one) => [one.getId(), one]));
  const counts = { blocks: 0, wholeBlocks: 0, byId: 0 };
  const described = (transaction: Transaction): object => ({
    txid: transaction.getId(),
    vin: transaction.ins.map(({ hash, index }) => ({
      txid: idText(Buffer.from(hash)),
      vout: index,
      ...(reportsSpent ? { prevout: { scriptPubKey: { hex: script.toString("hex") } } } : {}),
    })),
  });
  const answer = ({ method, params }: Call): object => {
    const [id, , place] = params as readonly [string, unknown, string?];
    if (method === "getblock") {
      counts.blocks += 1;
      return { result: Buffer.from(block.toBuffer()).toString("hex") };
    }
    if (place !== undefined) {
      counts.wholeBlocks += 1;
      clock.advance(0.03);
      expect([method, place]).toEqual(["getrawtransaction", ref.hash]);
      return { result: described(included.get(id)!) };
    }
    counts.byId += 1;
    clock.advance(0.03);
    const found = hasIndex ? raw.get(id) : undefined;
    return found === undefined ? { error: { code: -5, message: "No such" } } : { result: found };
  };
  const node = await startNode((body, response) => {
    const one = (call: Call): object => ({ id: call.id, ...answer(call) });
    response.end(
      JSON.stringify(Array.isArray(body) ? (body as Call[]).map(one) : one(body as Call)),
    );
  });
  return { rpc: client([node], { clock, timeoutMs: 15_000, ...options }), counts, node };
}

describe("senders of a block's payments", () => {
  it("reads the block once, and each spent transaction by its id", async () => {
    const made = blockOf(2_000);
    const { rpc, counts } = await nodeWith(made, { hasIndex: true, reportsSpent: false });
    const found = await readSenders(rpc, rules, made.txids, made.ref, signal);
    expect(found.size).toBe(2_000);
    for (const senders of found.values()) expect(senders.addresses).toEqual([address]);
    expect(found.get(made.txids[0]!)!.claims).toEqual([`${made.parents[0]!.getId()}:0`]);
    expect(found.get(made.txids.at(-1)!)!.claims).toEqual([`${made.txids[0]!}:0`]);
    expect(counts).toEqual({ blocks: 1, wholeBlocks: 0, byId: 1_999 });
  });

  it("takes from a node without an index what it reports with the block's transactions", async () => {
    const made = blockOf(200);
    const { rpc, counts } = await nodeWith(made, { hasIndex: false, reportsSpent: true });
    const found = await readSenders(rpc, rules, made.txids, made.ref, signal);
    for (const senders of found.values()) expect(senders.addresses).toEqual([address]);
    expect(counts.wholeBlocks).toBe(199);
  });

  it("does not let an older node without an index read a whole block for every payment", async () => {
    const made = blockOf(200);
    const { rpc, counts } = await nodeWith(made, { hasIndex: false, reportsSpent: false });
    const found = await readSenders(rpc, rules, made.txids, made.ref, signal);
    expect(found.get(made.txids[0]!)).toEqual({
      addresses: [],
      claims: [`${made.parents[0]!.getId()}:0`],
    });
    expect(found.get(made.txids.at(-1)!)!.addresses).toEqual([address]);
    expect(counts.wholeBlocks).toBe(16);
  });

  it("asks for fewer transactions at once where they are too large together", async () => {
    const made = blockOf(80);
    // Enough for the block, not for the answers with all the transactions that it spends.
    const limit = { bodyBytesMax: 2 * made.block.toBuffer().length + 50 };
    const { rpc, counts } = await nodeWith(made, { hasIndex: true, reportsSpent: false }, limit);
    const found = await readSenders(rpc, rules, made.txids, made.ref, signal);
    for (const senders of found.values()) expect(senders.addresses).toEqual([address]);
    expect(counts.byId).toBeGreaterThan(79);
  });

  it("leaves out transactions that are not in the block, and the coinbase spends nothing", async () => {
    const made = blockOf(2);
    const { rpc } = await nodeWith(made, { hasIndex: true, reportsSpent: false });
    const coinbase = made.block.transactions![0]!.getId();
    const asked = [coinbase, made.parents[0]!.getId()];
    expect(await readSenders(rpc, rules, asked, made.ref, signal)).toEqual(
      new Map([[coinbase, { addresses: [], claims: [] }]]),
    );
  });
});
