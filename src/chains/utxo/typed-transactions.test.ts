import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import recorded from "../../../test/vectors/dash-transactions.json" with { type: "json" };
import { claimsOf, spendsOfBlock } from "./block-spends.ts";
import { transfersOf, transfersOfBlock } from "./block-transfers.ts";
import { pendingTransaction } from "./byte-source.ts";
import { parseBlock } from "./parse-block.ts";
import { MalformedBytes, readTransaction, readTransactionHead } from "./parse-transaction.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/* Transactions with a type and a payload (DIP-2), as recorded on Dash: every type that its chain has. */

const { transactions } = recorded;
const chain: UtxoChain = { ...bitcoin, transactionFormat: "typed" };

const rawOf = ({ hex }: { readonly hex: string }): Buffer => Buffer.from(hex, "hex");
const doubleSha = (bytes: Buffer): Buffer =>
  createHash("sha256").update(createHash("sha256").update(bytes).digest()).digest();

/** A block of these transactions, by another computation of the Merkle root. */
function blockOf(raws: readonly Buffer[]): Buffer {
  let level = raws.map(doubleSha);
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => {
      const left = level[2 * index] ?? Buffer.alloc(0);
      return doubleSha(Buffer.concat([left, level[2 * index + 1] ?? left]));
    });
  }
  const header = Buffer.concat([Buffer.alloc(36), ...level, Buffer.alloc(12)]);
  return Buffer.concat([header, Buffer.from([raws.length]), ...raws]);
}

const coinbase = transactions.filter(({ type }) => type === 5)[0]!;
const others = transactions.filter(({ type }) => type !== 5);
const block = blockOf([coinbase, ...others].map(rawOf));

describe("transactions with a type", () => {
  it.each(transactions)("are read to their end: $name", (one) => {
    const bytes = rawOf(one);
    const cursor = { bytes, at: 0 };
    const transaction = readTransaction(cursor, "typed");
    expect(cursor.at).toBe(bytes.length);
    expect(bytes.readUInt16LE(2)).toBe(one.type);
    expect(claimsOf(bytes, transaction)).toEqual(one.inputs);
    expect(
      transaction.outputs.map(({ units, scriptAt, scriptLength }) => [
        units.toString(),
        bytes.toString("hex", scriptAt, scriptAt + scriptLength),
      ]),
    ).toEqual(one.outputs);
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => readTransaction({ bytes: bytes.subarray(0, length), at: 0 }, "typed")).toThrow();
  });

  it("have their recorded ids in a block", () => {
    expect(parseBlock(block, "typed").txids).toEqual([coinbase, ...others].map(({ txid }) => txid));
    expect(() => parseBlock(block)).toThrow(MalformedBytes);
  });

  it("pay the addresses of their outputs; those of a coinbase can be spent later", () => {
    const paid = transfersOfBlock(chain, parseBlock(block, "typed"), 1_000);
    expect(paid.map(({ key, to }) => [key.txid, key.index, to])).toEqual(
      [coinbase, ...others].flatMap(({ txid, outputs }) =>
        outputs.flatMap(([, script], index) =>
          script?.startsWith("76a914") === true ? [[txid, index, script]] : [],
        ),
      ),
    );
    expect(paid.map(({ spendableFromHeight }) => spendableFromHeight)).toEqual([
      ...[1_100, 1_100],
      ...paid.slice(2).map(() => null),
    ]);
  });

  it("without inputs pay as well, and spend nothing", () => {
    const { hex } = transactions.find(({ type }) => type === 9)!;
    const script = `76a914${"ab".repeat(20)}88ac`;
    const toAddress = Buffer.from(hex.replace(/2321[0-9a-f]{66}ac/, `19${script}`), "hex");
    expect(transfersOf(chain, pendingTransaction(toAddress, "id", "typed"))).toMatchObject([
      { key: { txid: "id", index: 0 }, to: script, asset: { amount: { units: 99_930_000n } } },
    ]);
    // The same bytes would announce witnesses where no transaction has a type.
    expect(readTransactionHead({ bytes: toAddress, at: 0 }, "typed").inputs).toEqual([]);
    expect(() => readTransactionHead({ bytes: toAddress, at: 0 }, "flagged")).toThrow(
      MalformedBytes,
    );
    const { networks } = chain;
    const parsed = parseBlock(blockOf([rawOf(coinbase), toAddress]), "typed");
    const spends = spendsOfBlock(chain, networks.regtest, parsed);
    expect(spends.sources()).toEqual([]);
  });

  it("have no payload in an ordinary transaction or before version 3", () => {
    const plain = (version: string): Buffer =>
      Buffer.from(`${version}01${"11".repeat(36)}00ffffffff010500000000000000015100000000`, "hex");
    for (const version of ["02000000", "03000000", "02000500"]) {
      const bytes = plain(version);
      const cursor = { bytes, at: 0 };
      readTransaction(cursor, "typed");
      expect(cursor.at, version).toBe(bytes.length);
    }
    expect(() => readTransaction({ bytes: plain("03000500"), at: 0 }, "typed")).toThrow(
      MalformedBytes,
    );
  });
});
