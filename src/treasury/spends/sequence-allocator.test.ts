import { describe, expect, it } from "vitest";
import { allocateSequence, allocateSequences, parseSequenceClaim } from "./sequence-allocator.ts";

describe("allocateSequence", () => {
  it.each([
    // chain's next number, claimed numbers, allocated number, gaps
    [0n, [], 0n, []],
    [5n, [], 5n, []],
    [5n, [5n, 6n], 7n, []],
    // Claims of numbers that blocks have already used are ignored.
    [5n, [3n, 4n], 5n, []],
    [5n, [3n, 4n, 5n], 6n, []],
    [5n, [7n], 5n, [5n, 6n]],
    [5n, [5n, 7n, 9n], 6n, [6n, 8n]],
    [5n, [9n, 5n, 7n], 6n, [6n, 8n]],
    // Stellar's numbers exceed what a double holds exactly.
    [260_000_000_000_000_001n, [260_000_000_000_000_001n], 260_000_000_000_000_002n, []],
  ] as const)(
    "takes the lowest free number: chain at %s, %s claimed, next %s, gaps %s",
    (chainNext, claimed, next, gaps) => {
      expect(allocateSequence(chainNext, claimed)).toEqual({ next, gaps });
    },
  );
});

describe("allocateSequences", () => {
  it.each([
    // chain's next number, claimed numbers, count, allocated numbers
    [5n, [], 3, [5n, 6n, 7n]],
    [5n, [5n, 6n], 2, [7n, 8n]],
    [5n, [7n], 4, [5n, 6n, 8n, 9n]],
    [5n, [7n, 9n], 2, [5n, 6n]],
    [5n, [3n, 4n], 1, [5n]],
    [5n, [5n], 0, []],
  ] as const)(
    "takes gaps first: chain at %s, %s claimed, the next %i are %s",
    (chainNext, claimed, count, sequences) => {
      expect(allocateSequences(chainNext, claimed, count)).toEqual(sequences);
      expect(allocateSequences(chainNext, claimed, 1)).toEqual([
        allocateSequence(chainNext, claimed).next,
      ]);
    },
  );
});

describe("parseSequenceClaim", () => {
  it("distinguishes a sequence claim from an outpoint", () => {
    expect(parseSequenceClaim("0xAb#7")).toEqual({ sender: "0xAb", sequence: 7n });
    expect(parseSequenceClaim("sim-1-ff#0")).toEqual({ sender: "sim-1-ff", sequence: 0n });
    expect(parseSequenceClaim(`${"ab".repeat(32)}:1`)).toBeNull();
    expect(parseSequenceClaim("#7")).toBeNull();
  });
});
