import { describe, expect, it } from "vitest";
import { allocateNonce, allocateNonces, parseNonceClaim } from "./nonce-allocator.ts";

describe("allocateNonce", () => {
  it.each([
    // chain's next nonce, claimed nonces, allocated nonce, gaps
    [0, [], 0, []],
    [5, [], 5, []],
    [5, [5, 6], 7, []],
    // Claims of nonces that blocks have already used are ignored.
    [5, [3, 4], 5, []],
    [5, [3, 4, 5], 6, []],
    [5, [7], 5, [5, 6]],
    [5, [5, 7, 9], 6, [6, 8]],
    [5, [9, 5, 7], 6, [6, 8]],
  ] as const)(
    "takes the lowest free nonce: chain at %i, %j claimed, next %i, gaps %j",
    (chainNext, claimed, next, gaps) => {
      expect(allocateNonce(chainNext, claimed)).toEqual({ next, gaps });
    },
  );
});

describe("allocateNonces", () => {
  it.each([
    // chain's next nonce, claimed nonces, count, allocated nonces
    [5, [], 3, [5, 6, 7]],
    [5, [5, 6], 2, [7, 8]],
    [5, [7], 4, [5, 6, 8, 9]],
    [5, [7, 9], 2, [5, 6]],
    [5, [3, 4], 1, [5]],
    [5, [5], 0, []],
  ] as const)(
    "takes gaps first: chain at %i, %j claimed, the next %i are %j",
    (chainNext, claimed, count, nonces) => {
      expect(allocateNonces(chainNext, claimed, count)).toEqual(nonces);
      expect(allocateNonces(chainNext, claimed, 1)).toEqual([
        allocateNonce(chainNext, claimed).next,
      ]);
    },
  );
});

describe("parseNonceClaim", () => {
  it("distinguishes a nonce claim from an outpoint", () => {
    expect(parseNonceClaim("0xAb#7")).toEqual({ sender: "0xAb", nonce: 7 });
    expect(parseNonceClaim("sim-1-ff#0")).toEqual({ sender: "sim-1-ff", nonce: 0 });
    expect(parseNonceClaim(`${"ab".repeat(32)}:1`)).toBeNull();
    expect(parseNonceClaim("#7")).toBeNull();
  });
});
