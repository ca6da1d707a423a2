/**
 * The parser on Bitcoin's first block, on blocks that bitcoinjs-lib writes, and on malformed bytes. Litecoin's extension blocks
 * are tested on its real node (test/nodes).
 */
import { Block, Transaction } from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { fc } from "../../../test/support/property.ts";
import { paysAny, transfersOf, transfersOfBlock } from "./block-transfers.ts";
import { pendingTransaction } from "./byte-source.ts";
import { parseBlock, splitBlock } from "./parse-block.ts";
import { MalformedBytes, outpointAt } from "./parse-transaction.ts";

const genesis = Buffer.from(
  "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c" +
    "0101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000",
  "hex",
);

const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });

/** Scripts with an address and scripts without one. */
const scripts = fc.oneof(
  bytes(20).map((hash) => Buffer.concat([Buffer.from("0014", "hex"), hash])),
  bytes(32).map((hash) => Buffer.concat([Buffer.from("5120", "hex"), hash])),
  bytes(20).map((hash) =>
    Buffer.concat([Buffer.from("76a914", "hex"), hash, Buffer.from("88ac", "hex")]),
  ),
  fc.uint8Array({ maxLength: 300 }).map((data) => Buffer.concat([Buffer.from([0x6a]), data])),
);

const transactions = fc
  .record({
    inputs: fc.array(
      fc.record({
        hash: bytes(32),
        index: fc.nat(1000),
        script: fc.uint8Array({ maxLength: 300 }),
        witness: fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    outputs: fc.array(
      fc.record({ script: scripts, units: fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }) }),
      { minLength: 1, maxLength: 5 },
    ),
    version: fc.constantFrom(1, 2),
    lockTime: fc.nat(),
  })
  .map(({ inputs, outputs, version, lockTime }) => {
    const transaction = new Transaction();
    transaction.version = version;
    transaction.locktime = lockTime;
    for (const input of inputs) {
      const position = transaction.addInput(input.hash, input.index, 0xfffffffd, input.script);
      transaction.setWitness(position, input.witness);
    }
    for (const output of outputs) transaction.addOutput(output.script, output.units);
    return transaction;
  });

function blockOf(list: readonly Transaction[]): Block {
  const block = new Block();
  block.prevHash = Buffer.alloc(32, 7);
  block.transactions = [...list];
  block.merkleRoot = Block.calculateMerkleRoot(block.transactions);
  return block;
}

describe("parseBlock", () => {
  it("reads the first block, whose output pays a bare key and so no address", () => {
    const block = parseBlock(genesis);
    expect(block.hash).toBe(bitcoin.networks.main.genesisHash);
    expect(block.txids).toEqual([
      "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    ]);
    expect(transfersOfBlock(bitcoin, block, 0)).toEqual([]);
  });

  it("agrees with bitcoinjs-lib on ids, inputs and outputs, with and without witnesses", () => {
    fc.assert(
      fc.property(fc.array(transactions, { minLength: 1, maxLength: 9 }), (list) => {
        const written = blockOf(list);
        const block = parseBlock(Buffer.from(written.toBuffer()));
        expect(block.hash).toBe(written.getId());
        expect(block.parentHash).toBe("07".repeat(32));
        expect(block.txids).toEqual(list.map((transaction) => transaction.getId()));
        list.forEach((transaction, position) => {
          const { inputs } = block.transactions[position]!;
          expect(inputs.map((at) => outpointAt(block.bytes, at))).toEqual(
            transaction.ins.map(
              ({ hash, index }) => `${Buffer.from(hash).reverse().toString("hex")}:${index}`,
            ),
          );
        });
        const expected = list.flatMap((transaction, position) =>
          transaction.outs.flatMap(({ script, value }, index) =>
            script[0] === 0x6a
              ? []
              : {
                  key: { txid: transaction.getId(), index },
                  to: Buffer.from(script).toString("hex"),
                  asset: { kind: "currency", amount: { units: value, currency: "1000" } },
                  spendableFromHeight: position === 0 ? 107 : null,
                },
          ),
        );
        expect(transfersOfBlock(bitcoin, block, 7)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it("reads the same transfers from a pending transaction", () => {
    fc.assert(
      fc.property(transactions, (transaction) => {
        const raw = Buffer.from(transaction.toBuffer());
        const waiting = transfersOf(bitcoin, pendingTransaction(raw, transaction.getId()));
        const block = parseBlock(Buffer.from(blockOf([transaction]).toBuffer()));
        expect(waiting.map(({ key, to, asset }) => ({ key, to, asset }))).toEqual(
          transfersOfBlock(bitcoin, block, 0).map(({ key, to, asset }) => ({ key, to, asset })),
        );
      }),
      { numRuns: 30 },
    );
  });

  it("finds payments to watched addresses without hashing", () => {
    fc.assert(
      fc.property(
        fc.array(transactions, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(25), { maxLength: 3 }),
        (list, chosen) => {
          const raw = Buffer.from(blockOf(list).toBuffer());
          const paid = transfersOfBlock(bitcoin, parseBlock(raw), 0).map(({ to }) => to);
          const watched = new Set(paid.filter((_, index) => chosen.includes(index)));
          expect(paysAny(splitBlock(raw, "flagged"), (key) => watched.has(key))).toBe(
            watched.size > 0,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it("rejects every block that is cut short or changed by one bit before its witnesses", () => {
    for (let length = 0; length < genesis.length; length += 1)
      expect(() => parseBlock(genesis.subarray(0, length))).toThrow(MalformedBytes);
    for (let at = 36; at < genesis.length; at += 1) {
      // The header's own fields besides the root (time, bits, nonce) change the block's hash instead.
      if (at >= 68 && at < 80) continue;
      const changed = Buffer.from(genesis);
      changed[at] = changed[at]! ^ 0x10;
      expect(() => parseBlock(changed), `byte ${at}`).toThrow(MalformedBytes);
    }
  });

  it("rejects a block that repeats its last transactions (CVE-2012-2459)", () => {
    fc.assert(
      fc.property(
        fc.array(transactions, { minLength: 3, maxLength: 12 }),
        fc.nat(3),
        (list, level) => {
          // The tail that is paired with itself at that level of the tree.
          const size = 2 ** level;
          const groups = Math.ceil(list.length / size);
          fc.pre(groups > 1 && groups % 2 === 1 && list.length % size === 0);
          const block = blockOf(list);
          block.transactions = [...list, ...list.slice(-size)];
          expect(Block.calculateMerkleRoot(block.transactions)).toEqual(block.merkleRoot);
          expect(() => parseBlock(Buffer.from(block.toBuffer()))).toThrow(
            "a block that repeats transactions",
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it("rejects a transaction with unknown flags", () => {
    const raw = Buffer.from("010000000004", "hex");
    expect(() => transfersOf(bitcoin, pendingTransaction(raw, ""))).toThrow(MalformedBytes);
  });
});
