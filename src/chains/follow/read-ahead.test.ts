import { describe, expect, it } from "vitest";
import { createReadAhead } from "./read-ahead.ts";

/* Answers arrive in the requested order, and a bounded number of them is fetched ahead. */

const never = new AbortController().signal;

function setUp(depth: number) {
  const requests: number[] = [];
  const aborted: number[] = [];
  const failing = new Set<number>();
  const ahead = createReadAhead(
    (height, signal) => {
      requests.push(height);
      signal.addEventListener("abort", () => aborted.push(height));
      return failing.has(height)
        ? Promise.reject(new Error(`no ${height}`))
        : Promise.resolve(`block ${height}`);
    },
    depth,
    never,
  );
  return { ahead, requests, aborted, failing };
}

describe("reading ahead", () => {
  it("requests as many heights as the depth, none twice, none beyond the last", async () => {
    const { ahead, requests } = setUp(3);
    expect(await ahead.take(10, 13)).toBe("block 10");
    expect(requests).toEqual([10, 11, 12]);
    expect(await ahead.take(11, 13)).toBe("block 11");
    expect(await ahead.take(12, 13)).toBe("block 12");
    expect(await ahead.take(13, 13)).toBe("block 13");
    expect(requests).toEqual([10, 11, 12, 13]);
  });

  it("throws a failure at its turn and requests the height again", async () => {
    const { ahead, failing } = setUp(2);
    failing.add(11);
    expect(await ahead.take(10, 12)).toBe("block 10");
    await expect(ahead.take(11, 12)).rejects.toThrow("no 11");
    failing.clear();
    expect(await ahead.take(11, 12)).toBe("block 11");
  });

  it("aborts dropped and skipped heights and requests them again", async () => {
    const { ahead, requests, aborted } = setUp(3);
    await ahead.take(10, 20);
    ahead.drop();
    expect(aborted).toEqual([10, 11, 12]);
    await ahead.take(11, 20);
    expect(requests).toEqual([10, 11, 12, 11, 12, 13]);
    await ahead.take(5, 20);
    expect(requests.slice(6)).toEqual([5, 6, 7]);
  });
});
