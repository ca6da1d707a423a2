import { describe, expect, it } from "vitest";
import {
  allocateRanges,
  allocateSequence,
  parseSequenceClaim,
  runsOf,
  sequenceClaimOf,
} from "./sequence-allocator.ts";

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

describe("allocateRanges", () => {
  it.each([
    // chain's next number, claimed numbers, sizes, first and last number of each
    [5n, [], [1, 1, 1], ["5-5", "6-6", "7-7"]],
    [5n, [5n, 6n], [1, 1], ["7-7", "8-8"]],
    [5n, [7n], [1, 1, 1], ["5-5", "6-6", "8-8"]],
    [5n, [7n, 9n], [1, 1], ["5-5", "6-6"]],
    [5n, [3n, 4n], [1], ["5-5"]],
    [5n, [5n], [], []],
    [5n, [], [3, 2], ["5-7", "8-9"]],
    // A gap that is too short for the first is taken by the second.
    [5n, [6n, 9n], [3, 2, 1], ["10-12", "7-8", "5-5"]],
  ] as const)(
    "takes the lowest free run: chain at %s, %s claimed, sizes %s: %s",
    (chainNext, claimed, sizes, runs) => {
      const found = allocateRanges(chainNext, claimed, sizes);
      expect(found.map(({ sequence, through }) => `${sequence}-${through}`)).toEqual(runs);
    },
  );
});

describe("runsOf", () => {
  it("joins consecutive numbers", () => {
    expect(runsOf([])).toEqual([]);
    expect(runsOf([3n, 4n, 5n, 7n])).toEqual([
      { sequence: 3n, through: 5n },
      { sequence: 7n, through: 7n },
    ]);
  });
});

describe("parseSequenceClaim", () => {
  it("distinguishes a sequence claim from an outpoint", () => {
    expect(parseSequenceClaim("0xAb#7")).toEqual({ sender: "0xAb", sequence: 7n });
    expect(parseSequenceClaim("sim-1-ff#0")).toEqual({ sender: "sim-1-ff", sequence: 0n });
    expect(parseSequenceClaim(`${"ab".repeat(32)}:1`)).toBeNull();
    expect(parseSequenceClaim("#7")).toBeNull();
    expect(parseSequenceClaim("0xAb#7x")).toBeNull();
    expect(parseSequenceClaim("0xAb#x")).toBeNull();
    expect(parseSequenceClaim("0xAb#120")?.sequence).toBe(120n);
  });

  it("finds the number of a transaction in its first claim", () => {
    expect(sequenceClaimOf(["0xAb#7", "0xAb#8"])).toEqual({ sender: "0xAb", sequence: 7n });
    expect(sequenceClaimOf([])).toBeNull();
  });
});
