import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { waitForOtherBlock } from "./wait-for-block.ts";

const stop = new AbortController();

/** A clock that each sleep moves on. */
function sleepyClock(): Clock & { readonly advance: (ms: number) => void } {
  const clock = manualClock();
  const advance = (ms: number): void => {
    clock.advance(ms / 1000);
  };
  return {
    now: clock.now,
    sleep: (delayMs) => {
      advance(delayMs);
      return Promise.resolve();
    },
    advance,
  };
}

/** A node with these best blocks, question by question, the last one for all further questions. */
function nodeWith(best: readonly string[], waitForNew: (delayMs: number) => Promise<unknown>) {
  const asked: string[] = [];
  let looks = 0;
  const call = (method: string, params: readonly unknown[]): Promise<unknown> => {
    asked.push(method);
    if (asked.length > 1_000) return Promise.reject(new Error("asked without a pause"));
    if (method === "waitfornewblock") return waitForNew(Number(params[0]));
    looks += 1;
    return Promise.resolve(best[Math.min(looks, best.length) - 1]);
  };
  return { rpc: { call } as unknown as JsonRpc, asked };
}

describe("waitForOtherBlock", () => {
  it("asks a node that answers a long poll at once no more than three times a second", async () => {
    const clock = sleepyClock();
    const { rpc, asked } = nodeWith(["a"], () => Promise.resolve(null));
    const begunAt = clock.now();
    await waitForOtherBlock(rpc, clock, "a", 10_000, stop.signal);
    expect(clock.now() - begunAt).toBe(10_000_000);
    expect(asked.length).toBeLessThanOrEqual(31);
  });

  it("asks a node that waits once before and once after", async () => {
    const clock = sleepyClock();
    const { rpc, asked } = nodeWith(["a"], (delayMs) => clock.sleep(delayMs));
    await waitForOtherBlock(rpc, clock, "a", 1_000, stop.signal);
    expect(asked).toEqual(["getbestblockhash", "waitfornewblock", "getbestblockhash"]);
  });

  it("resolves as soon as a long poll ends with another block", async () => {
    const clock = sleepyClock();
    const { rpc } = nodeWith(["a", "b"], () => clock.sleep(300));
    const begunAt = clock.now();
    await waitForOtherBlock(rpc, clock, "a", 10_000, stop.signal);
    expect(clock.now() - begunAt).toBe(300_000);
  });

  it("sleeps where a node has no long poll", async () => {
    const clock = sleepyClock();
    const { rpc, asked } = nodeWith(["a", "a", "b"], () =>
      Promise.reject(new RpcError(-32601, "Method not found")),
    );
    await waitForOtherBlock(rpc, clock, "a", 10_000, stop.signal);
    expect(asked).toHaveLength(5);
  });
});
