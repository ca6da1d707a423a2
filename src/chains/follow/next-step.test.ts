import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { BlockRef } from "../port.ts";
import { nextStep, type OurChain, type TheirChain } from "./next-step.ts";

/*
 * Chains are written as words, one letter per block from height 0: a letter is a block's hash as long as the letters
 * before it are the same. `abX` is a fork of `abc` at height 2. `-` in our chain is a block that we do not hold.
 */
const table = `
  ours    | theirs  | step
  .       | a       | append a0
  .       | abc     | append a0
  --      | ab      | idle behind
  --      | abc     | append c2
  --      | XYZ     | append Z2
  abc     | abcd    | append d3
  abc     | abcdef  | append d3
  abc     | abc     | idle atTip
  abcde   | abc     | idle behind
  abcde   | a       | idle behind
  abc     | abX     | orphan
  abc     | aXY     | orphan
  abc     | abXY    | orphan
  abc     | abXYZ   | orphan
  abcde   | abX     | orphan
  abcde   | X       | orphan
  --cde   | abc     | idle behind
  --cde   | ab      | idle behind
  --cde   | XY      | idle behind
  --cde   | abX     | orphan
  --cde   | abcde   | idle atTip
  --cde   | XYcdef  | orphan
`;

function parseTable(text: string): string[][] {
  return text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("|").map((cell) => cell.trim()));
}

/** A block's hash is the word up to it. */
function block(word: string, height: number): BlockRef {
  return {
    height,
    hash: word.slice(0, height + 1),
    parentHash: height === 0 ? "" : word.slice(0, height),
    time: 0 as Instant,
  };
}

function ours(word: string, tipHeight: number): OurChain {
  const holds = (height: number): string | null =>
    height < 0 || height >= word.length || word[height] === "-"
      ? null
      : word.replaceAll("-", (_dash, at: number) => "abcdef"[at] ?? "-").slice(0, height + 1);
  return {
    height: word.length - 1,
    hash: holds(word.length - 1),
    hashAtTheirTip: tipHeight < word.length - 1 ? holds(tipHeight) : null,
  };
}

function theirs(word: string, ourHeight: number): TheirChain {
  return {
    tip: block(word, word.length - 1),
    next: word.length - 1 > ourHeight ? block(word, ourHeight + 1) : null,
  };
}

describe("the next step towards a node's chain", () => {
  it.each(parseTable(table))("%s against %s: %s", (ourWord = "", theirWord = "", expected) => {
    const held = ourWord === "." ? "" : ourWord;
    const step = nextStep(ours(held, theirWord.length - 1), theirs(theirWord, held.length - 1));
    const said =
      step.kind === "append"
        ? `append ${step.block.hash.slice(-1)}${step.block.height}`
        : step.kind === "idle"
          ? `idle ${step.reason}`
          : step.kind;
    expect(said).toBe(expected);
  });

  it("takes no step for a block that disappeared between two requests", () => {
    const tip = block("abcd", 3);
    expect(nextStep(ours("ab", 3), { tip, next: null })).toEqual({
      kind: "idle",
      reason: "unclear",
    });
  });

  it("ends at the node's chain on any tree of forks and orphans only what is not on it", () => {
    const branch = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(branch, branch, branch, (stem, left, right) => {
        const target = stem + right;
        let held = stem + left;
        let orphaned = 0;
        let appended = 0;
        for (let steps = 0; steps < 100; steps += 1) {
          const step = nextStep(ours(held, target.length - 1), theirs(target, held.length - 1));
          if (step.kind === "idle") break;
          if (step.kind === "append") held = step.block.hash;
          else held = held.slice(0, -1);
          orphaned += step.kind === "orphan" ? 1 : 0;
          appended += step.kind === "append" ? 1 : 0;
        }
        const before = stem + left;
        const shared = sharedLength(before, target);
        if (shared === target.length) {
          expect([held, orphaned, appended]).toEqual([before, 0, 0]);
        } else {
          expect(held).toBe(target);
          expect([orphaned, appended]).toEqual([before.length - shared, target.length - shared]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("never orphans a block because a node lags behind", () => {
    const branch = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(branch, fc.nat(), (word, cut) => {
        const lagging = word.slice(0, 1 + (cut % word.length));
        const step = nextStep(ours(word, lagging.length - 1), theirs(lagging, word.length - 1));
        expect(step.kind).toBe("idle");
      }),
    );
  });
});

function sharedLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}
