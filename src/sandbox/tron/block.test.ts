import { describe, expect, it } from "vitest";
import { blockIdOf } from "./block.ts";

describe("a block's id", () => {
  it("equals the Nile network's for its block 66,987,565", () => {
    // From the documentation of java-tron's `getblock`.
    const header = {
      timestamp: 1_777_445_121_000n,
      txTrieRoot: "faf8fe3858339ead25cc892461c82a59b84dca4a51c45b026676bf3f45a352a2",
      parentHash: "0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed",
      number: 66_987_565n,
      witness_address: "41b2f713d57dbcec679d93a8849fa0cd0e4db594ba",
      version: 34n,
    };
    expect(blockIdOf(header)).toBe(
      "0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e",
    );
  });
});
