import { expect, test } from "vitest";
import { allocateNonce, allocateNonces, parseNonceClaim } from "./nonce-allocator.ts";

/* The smallest free nonce comes first; what lies free below a used one is a gap. */

test.each([
  // chain's next, claimed, next, gaps
  [0, [], 0, []],
  [5, [], 5, []],
  [5, [5, 6], 7, []],
  // What blocks have used up already says nothing.
  [5, [3, 4], 5, []],
  [5, [3, 4, 5], 6, []],
  [5, [7], 5, [5, 6]],
  [5, [5, 7, 9], 6, [6, 8]],
  [5, [9, 5, 7], 6, [6, 8]],
] as const)("chain %i, claimed %j: next %i, gaps %j", (chainNext, claimed, next, gaps) => {
  expect(allocateNonce(chainNext, claimed)).toEqual({ next, gaps });
});

test.each([
  // chain's next, claimed, how many, which
  [5, [], 3, [5, 6, 7]],
  [5, [5, 6], 2, [7, 8]],
  [5, [7], 4, [5, 6, 8, 9]],
  [5, [7, 9], 2, [5, 6]],
  [5, [3, 4], 1, [5]],
  [5, [5], 0, []],
] as const)("chain %i, claimed %j: the next %i are %j", (chainNext, claimed, count, nonces) => {
  expect(allocateNonces(chainNext, claimed, count)).toEqual(nonces);
  expect(allocateNonces(chainNext, claimed, 1)).toEqual([allocateNonce(chainNext, claimed).next]);
});

test("a claim of a nonce is told from an outpoint", () => {
  expect(parseNonceClaim("0xAb#7")).toEqual({ sender: "0xAb", nonce: 7 });
  expect(parseNonceClaim("sim-1-ff#0")).toEqual({ sender: "sim-1-ff", nonce: 0 });
  expect(parseNonceClaim(`${"ab".repeat(32)}:1`)).toBeNull();
  expect(parseNonceClaim("#7")).toBeNull();
});
