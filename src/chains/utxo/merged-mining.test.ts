/** The first merged-mined block of Dogecoin, whose work a miner of Litecoin made, and an earlier block with work of its own. */
import { describe, expect, it } from "vitest";
import { utxoChain } from "../../../test/support/known-chains.ts";
import vectors from "../../../test/vectors/dogecoin.json" with { type: "json" };
import { present } from "../../platform/kernel/assert.ts";
import { isWorkedFor, type MergedMining, readMergedMining } from "./merged-mining.ts";
import { parseBlock } from "./parse-block.ts";
import { doubleHash, idText, MalformedBytes, readTransactionHead } from "./parse-transaction.ts";
import { hasWork } from "./proof-of-work.ts";

const { networks } = utxoChain("DOGE");
const dogecoin = { chainId: 0x62, isStrict: true };
const merged = Buffer.from(vectors.blocks["371337"], "hex");
const hashOf = (bytes: Buffer): string =>
  idText(Buffer.from(doubleHash(bytes.subarray(0, 80)), "binary"));
const hash = hashOf(merged);

/** The block's proof, or what a change of the bytes makes of it. */
function proofWith(change: (bytes: Buffer) => void = () => undefined): MergedMining {
  const bytes = Buffer.from(merged);
  change(bytes);
  return present(readMergedMining(bytes), "a proof");
}

/** Whether the work is there and was made for the block. */
function isProven(proof: MergedMining, terms = dogecoin): boolean {
  return (
    isWorkedFor(proof, hash, terms) && hasWork(merged, hash, "scrypt", networks.main, proof.parent)
  );
}

describe("merged mining", () => {
  it("proves the work of a block by the header of another chain", () => {
    expect(hash).toBe("60323982f9c5ff1b5a954eac9dc1269352835f47c2c5222691d80f0d50dcf053");
    const proof = proofWith();
    expect(proof.end).toBe(merged.length);
    expect(idText(proof.coinbaseHash)).toBe(
      "e5422732b20e9e7ecc243427abbe296e9528d308bb111aae8d30c3465e442de8",
    );
    expect(isProven(proof)).toBe(true);
    // Its own header has no work: the nonce is 0.
    expect(hasWork(merged, hash, "scrypt", networks.main)).toBe(false);
  });

  it("is refused for another block, another chain or a changed proof", () => {
    const proof = proofWith();
    expect(isWorkedFor(proof, "ab".repeat(32), dogecoin)).toBe(false);
    // The tree of chains has eight leaves here, of which this one belongs to Dogecoin.
    expect(isWorkedFor(proof, hash, { ...dogecoin, chainId: 0x63 })).toBe(false);
    for (let at = 80; at < merged.length; at += 1) {
      const outcome = changedAt(at);
      // Only the hash of the parent block is ignored.
      const isIgnored = at >= ignoredFrom && at < ignoredFrom + 32;
      expect(outcome, `byte ${at}`).toBe(isIgnored);
    }
  });

  it("takes a parent's first transaction with more than one input, as nodes do", () => {
    const bytes = withSecondInput();
    const proof = present(readMergedMining(bytes), "a proof");
    expect(proof.end).toBe(bytes.length);
    expect(proof.coinbaseScript).toEqual(proofWith().coinbaseScript);
    expect(isWorkedFor(proof, hash, dogecoin)).toBe(true);
  });

  it("counts work for a block of the same chain on test networks only", () => {
    const ownParent = proofWith((bytes) => {
      bytes.writeUInt16LE(0x62, merged.length - 78);
    });
    expect(isWorkedFor(ownParent, hash, dogecoin)).toBe(false);
    expect(isWorkedFor(ownParent, hash, { ...dogecoin, isStrict: false })).toBe(true);
  });

  it("is cut off nowhere", () => {
    for (let length = 0; length < merged.length; length += 1)
      expect(() => readMergedMining(merged.subarray(0, length)), `${length} bytes`).toThrow(
        MalformedBytes,
      );
  });

  it("is absent where the version lacks its flag", () => {
    const alone = Buffer.from(vectors.blocks["100"], "hex");
    expect(readMergedMining(alone)).toBeNull();
    const { txids, hash: id } = parseBlock(alone);
    expect(txids).toHaveLength(1);
    expect(hasWork(alone, id, "scrypt", networks.main)).toBe(true);
    const genesis = Buffer.from(vectors.blocks.genesis, "hex");
    expect(hashOf(genesis)).toBe(networks.main.genesisHash);
    expect(hasWork(genesis, hashOf(genesis), "scrypt", networks.main)).toBe(true);
  });
});

/** Where the hash of the parent block stands: behind the coinbase. */
const ignoredFrom = merged.indexOf(Buffer.from("b3e64e02fff59620", "hex"));

/** The block with a second input of the parent's coinbase, which is the parent's only transaction then. */
function withSecondInput(): Buffer {
  const { inputs } = readTransactionHead({ bytes: merged, at: 80 }, "flagged");
  const inputAt = present(inputs[0], "an input");
  const scriptLength = present(merged[inputAt + 36], "the length of its script");
  const inputEnd = inputAt + 37 + scriptLength + 4;
  const coinbase = Buffer.concat([
    merged.subarray(80, 84),
    Buffer.from([2]),
    merged.subarray(inputAt, inputEnd),
    Buffer.alloc(36, 9),
    Buffer.from([0, 0, 0, 0, 0]),
    merged.subarray(inputEnd, ignoredFrom),
  ]);
  const branchesAt = ignoredFrom + 32;
  const hashes = present(merged[branchesAt], "the length of the branch");
  const parent = Buffer.from(merged.subarray(-80));
  parent.write(doubleHash(coinbase), 36, "binary");
  return Buffer.concat([
    merged.subarray(0, 80),
    coinbase,
    merged.subarray(ignoredFrom, branchesAt),
    Buffer.from([0, 0, 0, 0, 0]),
    merged.subarray(branchesAt + 1 + 32 * hashes + 4, -80),
    parent,
  ]);
}

/** Whether the block still has a proof when that byte is another one. */
function changedAt(at: number): boolean {
  try {
    return isProven(
      proofWith((bytes) => {
        bytes[at] = (bytes[at] ?? 0) ^ 0x01;
      }),
    );
  } catch (error) {
    if (!(error instanceof MalformedBytes || error instanceof RangeError)) throw error;
    return false;
  }
}
