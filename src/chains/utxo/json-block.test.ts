import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { type Call, client, signal, startNode } from "../../../test/support/scripted-node.ts";
import recorded from "../../../test/vectors/zcash-node-answers.json" with { type: "json" };
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { ImpossibleAnswer } from "../port.ts";
import { readJsonTransaction } from "./json-block.ts";
import { createUtxoReader } from "./reader.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/*
 * Blocks of Zcash's main network. Their headers hash to their ids and contain the Merkle roots, so a recorded answer that was
 * altered fails here, as one by a lying node would.
 */

const chain: UtxoChain = {
  ...bitcoin,
  blocks: "json",
  workHash: null,
  addressTypes: [""],
  defaultAddressType: "",
  dustUnits: { p2pkh: 54n, p2sh: 54n },
  networks: {
    ...bitcoin.networks,
    main: {
      ...bitcoin.networks.main,
      publicKeyHashPrefix: "1cb8",
      scriptHashPrefixes: ["1cbd"],
      segwitPrefix: null,
    },
  },
};

const { laterBlock } = recorded;
const payment = { value: 1.5, valueZat: 150_000_000, n: 0, scriptPubKey: scriptOf("11") };
const spent = { txid: "ab".repeat(32), vout: 3, scriptSig: { asm: "", hex: "" }, sequence: 0 };
const coinbase = { coinbase: "5100", sequence: 4294967295 };

function scriptOf(byte: string): JsonObject {
  return { asm: "", hex: `76a914${byte.repeat(20)}88ac`, type: "pubkeyhash" };
}

/** The block's transactions by their true ids; a miner's, one of version 4, one of version 6, and others without a transparent part. */
const transactions: readonly JsonObject[] = laterBlock.tx.map((txid, place) => ({
  txid,
  version: place === 2 ? 6 : 4,
  vin: place === 0 ? [coinbase] : place === 1 ? [spent] : [],
  vout: place < 3 ? [payment] : [],
}));

type Answers = {
  readonly header: JsonValue;
  readonly bytes: string;
  readonly block: JsonObject;
};

const honest: Answers = {
  header: laterBlock,
  bytes: recorded.laterHeaderHex,
  block: { ...laterBlock, tx: transactions },
};

/** Reads the block from a node with these answers. */
async function read(answers: Answers, { hash, height, previousblockhash, time } = laterBlock) {
  const resultOf = ({ method, params }: Call): JsonValue =>
    method === "getblock" ? answers.block : params[1] === true ? answers.header : answers.bytes;
  const node = await startNode((body, response) => {
    const calls = body as readonly Call[];
    response.end(JSON.stringify(calls.map((call) => ({ id: call.id, result: resultOf(call) }))));
  });
  const reader = createUtxoReader(chain, chain.networks.main, client([node]), manualClock());
  const block = { hash, height, parentHash: previousblockhash, time: instantFromSeconds(time) };
  return await reader.readBlock(block, signal);
}

describe("a block read as JSON", () => {
  it("contains the payments of its transactions, except the miner's", async () => {
    const content = await read(honest);
    expect(content?.block).toMatchObject({
      height: 2_856_342,
      hash: laterBlock.hash,
      parentHash: laterBlock.previousblockhash,
    });
    const to = `76a914${"11".repeat(20)}88ac`;
    expect(content?.transfers).toEqual(
      laterBlock.tx.slice(1, 3).map((txid) => ({
        key: { txid, index: 0 },
        to,
        asset: { kind: "currency", amount: { units: 150_000_000n, currency: bitcoin.currency } },
        spendableFromHeight: null,
      })),
    );
  });

  it("names what its transactions spend", async () => {
    const spends = (await read(honest))?.spends;
    expect(spends?.sources()).toEqual([`${spent.txid}:3`]);
    expect(spends?.transactionsFrom(new Set([`${spent.txid}:3`]))).toMatchObject([
      { txid: laterBlock.tx[1], claims: [`${spent.txid}:3`] },
    ]);
    expect(spends?.transactionsFrom(new Set([`${spent.txid}:4`]))).toEqual([]);
  });

  it("has the recorded bytes of the chain's first blocks", async () => {
    const { firstBlock, firstHeader, firstHeaderHex } = recorded;
    const block = firstBlock as unknown as JsonObject;
    const content = await read(
      { header: firstHeader, bytes: firstHeaderHex, block },
      { ...laterBlock, ...firstHeader },
    );
    expect(content?.block).toMatchObject({ height: 1, parentHash: firstHeader.previousblockhash });
    expect(content?.transfers).toEqual([]);
  });

  it("is absent while it is not on the best chain", async () => {
    expect(await read({ ...honest, header: { ...laterBlock, confirmations: -1 } })).toBeNull();
  });

  it.each([
    ["a transaction more", [...transactions, { ...transactions[1], txid: "cd".repeat(32) }]],
    ["a transaction less", transactions.slice(0, -1)],
    ["its last transaction repeated", [...transactions, transactions.at(-1)]],
    ["two transactions exchanged", [...transactions.slice(1), transactions[0]]],
    ["another id", [{ ...transactions[0], txid: "cd".repeat(32) }, ...transactions.slice(1)]],
  ])("is refused with %s", async (_, tx) => {
    await expect(
      read({ ...honest, block: { ...laterBlock, tx: tx as JsonValue } }),
    ).rejects.toThrow(ImpossibleAnswer);
  });

  it("is refused with the bytes of another header", async () => {
    await expect(read({ ...honest, bytes: recorded.firstHeaderHex })).rejects.toThrow(
      ImpossibleAnswer,
    );
  });

  it.each([
    ["parent", { previousblockhash: recorded.firstBlock.hash }],
    ["time", { time: laterBlock.time + 1 }],
    ["hash", { hash: recorded.firstBlock.hash }],
  ])("is refused if the described header has another %s", async (_, change) => {
    await expect(read({ ...honest, header: { ...laterBlock, ...change } })).rejects.toThrow(
      "another block's header",
    );
  });

  it("states what its transactions pay on the node's word, which a second node has to confirm", async () => {
    const raised = { ...payment, value: 15, valueZat: 1_500_000_000 };
    const tx = transactions.map((one, place) => (place === 1 ? { ...one, vout: [raised] } : one));
    const content = await read({ ...honest, block: { ...laterBlock, tx } });
    expect(content?.transfers[0]?.asset).toMatchObject({ amount: { units: 1_500_000_000n } });
  });
});

describe("a transaction read as JSON", () => {
  it("of zcashd has its inputs and its amounts in zatoshi", () => {
    expect(readJsonTransaction(recorded.transparent)).toEqual({
      txid: recorded.transparent.txid,
      claims: ["04c34b79768239f9570c8559e6259d93a1a2596f01a0cb193f68af9378f279e2:1"],
      outputs: [
        { units: 4_258_340n, script: "76a9144e28874147ce07c0d2b9463d34567d833017a4db88ac" },
        { units: 626_548n, script: "76a9143baf2c65ae0c9171d40b988df1459ebee092224b88ac" },
      ],
    });
  });

  it("of Zebra may pay from shielded funds, and then has no inputs", () => {
    const { claims, outputs } = readJsonTransaction(recorded.shielded);
    expect(claims).toEqual([]);
    expect(outputs.map(({ units }) => units)).toEqual([1_503_454_842n]);
  });

  it.each([
    ["a fraction as amount", { valueZat: 0.5 }],
    ["a negative amount", { valueZat: -1 }],
    ["an amount as text", { valueZat: "1" }],
    ["another place", { n: 1 }],
    ["a script that is not hex", { scriptPubKey: { hex: "76a9zz" } }],
  ])("is refused with %s", (_, change) => {
    const vout = [{ ...payment, ...change }];
    expect(() => readJsonTransaction({ ...transactions[1], vout })).toThrow("unexpected");
  });
});
